import { useLayoutEffect, type RefObject } from 'react';

/** The level of the headings of a message that are in no other: the page's own are above. */
const FIRST_LEVEL = 2;

/** By the group of blocks that they stand in: of a long answer that grows, only the last group is searched for them. */
const headingsOf = new WeakMap<Element, Iterable<Element>>();

/** Finds the headings of a group of blocks whenever it is drawn. */
export function useHeadings(group: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    if (group.current) headingsOf.set(group.current, group.current.querySelectorAll('h1, h2, h3, h4, h5, h6'));
  });
}

/**
 * Gives the headings of an answer levels without gaps, whichever the model began with. They keep their looks and their
 * elements, which is what is copied. The children of `text` are sections, and theirs the groups.
 */
export function useHeadingLevels(text: RefObject<HTMLElement | null>, drawn: unknown): void {
  useLayoutEffect(() => {
    const above: number[] = [];
    for (const heading of headingsIn(text.current)) {
      const level = Number(heading.tagName[1]);
      while ((above.at(-1) ?? 0) >= level) above.pop();
      const shown = String(FIRST_LEVEL + above.length);
      if (heading.getAttribute('aria-level') !== shown) heading.setAttribute('aria-level', shown);
      above.push(level);
    }
  }, [text, drawn]);
}

function* headingsIn(text: HTMLElement | null): Generator<Element> {
  for (const section of text?.children ?? []) for (const group of section.children) yield* headingsOf.get(group) ?? [];
}
