import { useLayoutEffect, type RefObject } from 'react';

/** Makes a text area as high as its text; its style says where that ends. */
export function useAutosize(box: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    if (box.current && !CSS.supports('field-sizing', 'content')) fit(box.current);
  }, [box, text]);
}

function fit(area: HTMLTextAreaElement): void {
  area.style.blockSize = 'auto';
  area.style.blockSize = `${area.scrollHeight}px`;
}
