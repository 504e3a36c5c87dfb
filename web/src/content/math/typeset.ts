import katex, { type KatexOptions } from 'katex';
import 'katex/dist/katex.min.css';

/** Formulas come from a model: no links or images (trust), no macro bombs (maxExpand), no page-high rules (maxSize). */
const OPTIONS: KatexOptions = {
  trust: false,
  strict: 'ignore',
  maxExpand: 1_000,
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
    katex.render(source, drawn, { ...OPTIONS, displayMode });
    into.replaceChildren(...drawn.childNodes);
    delete into.dataset.source;
  } catch {
    if (open && into.firstElementChild) return;
    into.textContent = source;
    into.dataset.source = '';
  }
}
