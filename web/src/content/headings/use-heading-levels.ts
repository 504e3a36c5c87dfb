import { useLayoutEffect, type RefObject } from 'react';

/** The level of the headings of a message that are in no other: the page's own are above. */
const FIRST_LEVEL = 2;

/**
 * Gives the headings of an answer levels without gaps, whichever the model began with. They keep their looks and their
 * elements, which is what is copied.
 */
export function useHeadingLevels(text: RefObject<HTMLElement | null>, drawn: unknown): void {
  useLayoutEffect(() => {
    const above: number[] = [];
    for (const heading of text.current?.querySelectorAll('h1, h2, h3, h4, h5, h6') ?? []) {
      const level = Number(heading.tagName[1]);
      while ((above.at(-1) ?? 0) >= level) above.pop();
      heading.setAttribute('aria-level', String(FIRST_LEVEL + above.length));
      above.push(level);
    }
  }, [text, drawn]);
}
