import { useEffect, useState, type RefObject } from 'react';

export interface SelectedText {
  text: string;
  /** The place of the selection on the screen. */
  box: DOMRect;
}

/** A selection that is being dragged is left alone for so long, in milliseconds. */
const SETTLES_AFTER_MS = 200;

/** The text that is selected within one message of the thread; null without any. */
export function useSelectedText(thread: RefObject<HTMLElement | null>): [SelectedText | null, () => void] {
  const [selected, setSelected] = useState<SelectedText | null>(null);
  const isShown = selected !== null;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    // A caret that moves, as while one types, is no selection.
    const onChange = () => {
      clearTimeout(timer);
      const isEmpty = document.getSelection()?.isCollapsed !== false;
      if (!isEmpty) timer = setTimeout(() => setSelected(readSelection(thread.current)), SETTLES_AFTER_MS);
      else if (isShown) setSelected(null);
    };
    document.addEventListener('selectionchange', onChange);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('selectionchange', onChange);
    };
  }, [thread, isShown]);
  return [selected, () => setSelected(null)];
}

function readSelection(thread: HTMLElement | null): SelectedText | null {
  const selection = document.getSelection();
  if (!thread || !selection || selection.isCollapsed || selection.rangeCount === 0) return null;
  const text = selection.toString();
  const range = selection.getRangeAt(0).cloneRange();
  const start = elementOf(range.startContainer);
  const article = start?.closest('article');
  if (!article || !thread.contains(article) || start?.closest('form') || text.trim() === '') return null;
  if (!article.contains(range.endContainer)) {
    // Three clicks select up to the beginning of what follows, which may be another message.
    range.setEnd(article, article.childNodes.length);
    if (!withoutSpace(range.toString()).startsWith(withoutSpace(text))) return null;
  }
  return { text, box: boxOf(selection.getRangeAt(0), article) };
}

/** The lines that are selected, of this message only. */
function boxOf(range: Range, article: Element): DOMRect {
  const { bottom: end } = article.getBoundingClientRect();
  const boxes = [...range.getClientRects()].filter(({ width, top }) => width > 0 && top < end);
  const [left, right] = [Math.min(...boxes.map((one) => one.left)), Math.max(...boxes.map((one) => one.right))];
  const [top, bottom] = [Math.min(...boxes.map((one) => one.top)), Math.max(...boxes.map((one) => one.bottom))];
  return boxes.length === 0 ? range.getBoundingClientRect() : new DOMRect(left, top, right - left, bottom - top);
}

function elementOf(node: Node): Element | null {
  return node instanceof Element ? node : node.parentElement;
}

function withoutSpace(text: string): string {
  return text.replaceAll(/\s+/g, '');
}
