import katex, { type KatexOptions } from 'katex';
import 'katex/dist/katex.min.css';

/** Formulas come from a model: no links or images (trust), no page-high rules (maxSize). */
const OPTIONS: KatexOptions = {
  trust: false,
  strict: 'ignore',
  maxSize: 20,
  // KaTeX's own error rendering sets a style attribute, which a strict content security policy blocks.
  throwOnError: true,
};

/**
 * Renders a formula into an element. An invalid formula shows its source; while more of it is coming (`open`) the last
 * valid rendering stays, if there is one. Builds DOM nodes, not HTML: a strict content security policy allows these.
 */
export function typeset(into: HTMLElement, source: string, displayMode: boolean, open: boolean): void {
  const drawn = document.createElement('span');
  try {
    katex.render(source, drawn, { ...OPTIONS, maxExpand: expansionsOf(source), displayMode });
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
