// Marks the words of a search hit in the conversation that it leads to, by the browser's own highlights: the messages
// themselves stay as they are.
import './found-words.css';

const NAME = 'found-words';
/** Of one conversation on screen. */
const RANGES_MAX = 2000;
/** Milliseconds after a change of the thread: rows come and go while it scrolls. */
const REDRAW_AFTER_MS = 80;
/** The router reports its own navigations as events, too. */
const NAVIGATIONS = ['popstate', 'pushState', 'replaceState'];

let current: AbortController | null = null;

/** Marks `words` until Escape is pressed or another page is opened. Does nothing in a browser without highlights. */
export function markFoundWords(conversationId: string, words: readonly string[]): void {
  endMarks();
  if (typeof Highlight === 'undefined' || words.length === 0) return;
  const ending = new AbortController();
  current = ending;
  const { signal } = ending;
  const highlight = new Highlight();
  CSS.highlights.set(NAME, highlight);
  const wanted = [...new Set(words.map((word) => word.toLowerCase()))].toSorted((a, b) => b.length - a.length);

  let timer: ReturnType<typeof setTimeout> | undefined;
  const observer = new MutationObserver(() => {
    timer ??= setTimeout(draw, REDRAW_AFTER_MS);
  });
  observer.observe(document.body, { childList: true, subtree: true });
  signal.addEventListener('abort', () => {
    observer.disconnect();
    clearTimeout(timer);
    CSS.highlights.delete(NAME);
  });
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && endMarks(), { signal });
  const endElsewhere = () => void (window.location.pathname === `/c/${conversationId}` || endMarks());
  for (const navigation of NAVIGATIONS) window.addEventListener(navigation, endElsewhere, { signal });
  draw();

  function draw(): void {
    timer = undefined;
    highlight.clear();
    for (const range of findRanges(wanted)) highlight.add(range);
  }
}

function endMarks(): void {
  current?.abort();
  current = null;
}

/** The places of the words in the messages on screen. */
function findRanges(words: readonly string[]): Range[] {
  const ranges: Range[] = [];
  for (const thread of document.querySelectorAll('[role=log]')) {
    const texts = document.createTreeWalker(thread, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node && ranges.length < RANGES_MAX; node = texts.nextNode()) {
      const text = (node.nodeValue ?? '').toLowerCase();
      for (const word of words) ranges.push(...rangesOf(node, text, word));
    }
  }
  return ranges;
}

function rangesOf(node: Node, text: string, word: string): Range[] {
  const ranges: Range[] = [];
  // In a few languages a letter has another length in lower case.
  if (text.length !== node.nodeValue?.length) return ranges;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
    const range = new Range();
    range.setStart(node, at);
    range.setEnd(node, at + word.length);
    ranges.push(range);
  }
  return ranges;
}
