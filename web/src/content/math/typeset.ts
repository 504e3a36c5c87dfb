import katex, { type KatexOptions } from 'katex';
import 'katex/contrib/mhchem';
import 'katex/dist/katex.min.css';

/** Formulas come from a model: no links or images (trust), no page-high rules (maxSize). */
const OPTIONS: KatexOptions = {
  trust: false,
  strict: 'ignore',
  maxSize: 20,
  // KaTeX's own error rendering sets a style attribute, which a strict content security policy blocks.
  throwOnError: true,
};

/** What models write of LaTeX's usual packages (amsmath, bbm, dsfont, physics, siunitx, xfrac) and KaTeX does not know. */
const MACROS = {
  '\\label': '\\@firstoftwo{}{#1}',
  '\\require': '\\@firstoftwo{}{#1}',
  '\\vspace': '\\@firstoftwo{}{#1}',
  '\\ref': '\\mathrm{#1}',
  '\\eqref': '(\\mathrm{#1})',
  '\\mbox': '\\text{#1}',
  '\\textsc': '\\text{#1}',
  '\\ensuremath': '{#1}',
  '\\mathbbm': '\\mathbb{#1}',
  '\\mathds': '\\mathbb{#1}',
  '\\nicefrac': '{#1}/{#2}',
  '\\sfrac': '{#1}/{#2}',
  '\\abs': '\\left\\lvert #1\\right\\rvert',
  '\\norm': '\\left\\lVert #1\\right\\rVert',
  '\\ceil': '\\left\\lceil #1\\right\\rceil',
  '\\floor': '\\left\\lfloor #1\\right\\rfloor',
  '\\dv': '\\frac{\\mathrm{d}#1}{\\mathrm{d}#2}',
  '\\pdv': '\\frac{\\partial #1}{\\partial #2}',
  '\\SI': '#1\\,\\mathrm{#2}',
  '\\si': '\\mathrm{#1}',
  '\\ang': '#1^\\circ',
  '\\sgn': '\\operatorname{sgn}',
  '\\hdots': '\\ldots',
  '\\hfill': '\\quad',
  '\\celsius': '{}^\\circ\\mathrm{C}',
  '\\textdegree': '{}^\\circ',
  '\\ohm': '\\Omega',
  '\\micro': '\\mu',
  '\\euro': '\\text{€}',
};

/** Environments that KaTeX does not know, as those that are most like them. */
const ENVIRONMENTS: Record<string, string> = { multline: 'gather', eqnarray: 'align', flalign: 'align' };
const UNKNOWN_ENVIRONMENT = /\\(begin|end)\{(multline|eqnarray|flalign)(\*?)\}/g;

function known(source: string): string {
  const renamed = source.replace(
    UNKNOWN_ENVIRONMENT,
    (_all, part, name, star) => `\\${part}{${ENVIRONMENTS[name]}${star}}`,
  );
  // In text, these two signs would be refused, or be a comment.
  return renamed.replace(/\\text(?:rm|bf|it)?\{[^{}$]*\}/g, (text) => text.replace(/(?<!\\)[_%]/g, '\\$&'));
}

/**
 * Renders a formula into an element. An invalid formula shows its source; while more of it is coming (`open`) the last
 * valid rendering stays, if there is one. Builds DOM nodes, not HTML: a strict content security policy allows these.
 */
export function typeset(into: HTMLElement, source: string, displayMode: boolean, open: boolean): void {
  const drawn = document.createElement('span');
  try {
    katex.render(known(source), drawn, {
      ...OPTIONS,
      // KaTeX adds to these what a formula defines.
      macros: { ...MACROS },
      maxExpand: expansionsOf(source),
      displayMode,
    });
    into.replaceChildren(...drawn.childNodes);
    delete into.dataset.source;
  } catch {
    if (open && into.firstElementChild) return;
    into.textContent = source;
    into.dataset.source = '';
  }
}

const EXPANSIONS = 1_000;
/** What defines macros. */
const DEFINES = /\\(?:[egx]?def|(?:re|provide)?newcommand|providecommand|(?:future)?let|global|long)(?![a-zA-Z])/;

/**
 * How many macros of a formula are expanded. The typesetter's own are short, so that a long formula may have many; those
 * that a formula defines may grow without end.
 */
function expansionsOf(source: string): number {
  return DEFINES.test(source) ? EXPANSIONS : EXPANSIONS + source.length;
}
