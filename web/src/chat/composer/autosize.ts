import { useLayoutEffect, type RefObject } from 'react';

/** Makes a text area as high as its text; its style says where that ends. */
export function useAutosize(box: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    if (box.current) autosize(box.current);
  }, [box, text]);
}

/** The same at once. Most browsers do it themselves. */
export function autosize(area: HTMLTextAreaElement): void {
  if (CSS.supports('field-sizing', 'content')) return;
  area.style.blockSize = 'auto';
  area.style.blockSize = `${area.scrollHeight}px`;
}
