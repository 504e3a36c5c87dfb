// The places of what is searched for in the messages on screen.
import { BLOCK_END, fold, placesIn } from './folded.ts';
import { OBJECT } from './words-of-markdown.ts';

/** What a message says: the text of an answer, of a question, and of reasoning that is open. */
const SAID = '[data-markdown], [data-said]';
const SKIPPED = '[data-control], iframe, [aria-hidden=true], button';
const BLOCKS = 'p, li, td, th, h1, h2, h3, h4, h5, h6, pre, blockquote, [data-source]';

/** In the order of the text. */
export function rangesIn(row: Element, needle: string): Range[] {
  return [...row.querySelectorAll(SAID)].filter(isOpen).flatMap((said) => rangesOf(said, needle));
}

function isOpen(said: Element): boolean {
  return said.closest('details:not([open])') === null;
}

interface Piece {
  node: Text;
  /** Where it begins in the text. */
  from: number;
}

function rangesOf(said: Element, needle: string): Range[] {
  const pieces: Piece[] = [];
  let text = '';
  let block: Element | null = null;
  const walker = document.createTreeWalker(said, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) => {
    if (!(node instanceof Element)) return NodeFilter.FILTER_ACCEPT;
    if (node.matches('.katex, img')) text += OBJECT;
    if (node.matches('br')) text += ' ';
    return node.matches('.katex') || (node.matches(SKIPPED) && !node.matches('[data-content]'))
      ? NodeFilter.FILTER_REJECT
      : NodeFilter.FILTER_SKIP;
  });
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!(node instanceof Text)) continue;
    const around = node.parentElement?.closest(BLOCKS) ?? said;
    if (block !== null && around !== block) text += BLOCK_END;
    block = around;
    pieces.push({ node, from: text.length });
    text += node.data;
  }
  return placesIn(fold(text), needle).flatMap(({ from, to }) => {
    const [start, end] = [pieceAt(pieces, from), pieceAt(pieces, to - 1)];
    if (!start || !end) return [];
    const range = new Range();
    range.setStart(start.node, from - start.from);
    range.setEnd(end.node, Math.min(to - end.from, end.node.length));
    return [range];
  });
}

/** The last piece that begins at or before a place. */
function pieceAt(pieces: readonly Piece[], place: number): Piece | undefined {
  let low = 0;
  let high = pieces.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((pieces[middle]?.from ?? 0) <= place) low = middle;
    else high = middle - 1;
  }
  const piece = pieces[low];
  return piece && place >= piece.from && place - piece.from < piece.node.length ? piece : undefined;
}
