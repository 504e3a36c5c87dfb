import { useLayoutEffect, type RefObject } from 'react';

/** Makes a textarea as high as its text; CSS sets the limit. */
export function useAutosize(box: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    if (box.current) autosize(box.current);
  }, [box, text]);
}

/** Resizes now. Most browsers do it natively. */
export function autosize(area: HTMLTextAreaElement): void {
  if (CSS.supports('field-sizing', 'content')) return;
  area.style.blockSize = 'auto';
  area.style.blockSize = `${area.scrollHeight}px`;
}
