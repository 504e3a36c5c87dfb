import katex, { type KatexOptions } from 'katex';
import 'katex/dist/katex.min.css';

/** Formulas come from a model: no links or images (trust), no macro bombs (maxExpand), no page-high rules (maxSize). */
const OPTIONS: KatexOptions = {
  trust: false,
  strict: 'ignore',
  maxExpand: 1_000,
  maxSize: 20,
  // Its own drawing of an error sets a style attribute, which a strict style policy refuses.
  throwOnError: true,
};

/**
 * Draws a formula into an element. A formula that cannot be read shows its source; while more of it is coming (`open`)
 * the last drawing that could be made stays. Built from DOM nodes, not HTML: a strict style policy lets these pass.
 */
export function typeset(into: HTMLElement, source: string, displayMode: boolean, open: boolean): void {
  const drawn = document.createElement('span');
  try {
    katex.render(source, drawn, { ...OPTIONS, displayMode });
    into.replaceChildren(...drawn.childNodes);
  } catch {
    if (!open || into.childNodes.length === 0) into.textContent = source;
  }
}
