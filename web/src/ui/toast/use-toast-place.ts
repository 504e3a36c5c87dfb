import { useLayoutEffect, useRef, type RefObject } from 'react';
import { placeToasts, type Box } from './place-toasts.ts';

/** What lies over the page: what is in it counts, and nothing below it. */
const OVER = '[role=dialog], dialog[open], [role=menu], [role=listbox]';
/** It lies over the page where it makes the rest of it inert. */
const DRAWER = '[data-sidebar][data-open]';
const PRESSED = 'button, input, textarea, select, a[href], [role=tab], [contenteditable]';

/**
 * Moves the notices to where they cover nothing: when they change, and when the focus does while they are there. They stay
 * while a button is held down, which takes the focus: a notice that came under the pointer would get the release, and
 * the press would be none.
 */
export function useToastPlace(stack: RefObject<HTMLElement | null>, shown: readonly unknown[]): void {
  const press = useRef<'none' | 'held' | 'moves after it'>('none');
  useLayoutEffect(() => {
    const { current } = stack;
    if (!current || shown.length === 0) {
      press.current = 'none';
      return;
    }
    const place = () => {
      if (press.current === 'none') moveTo(current);
      else press.current = 'moves after it';
    };
    // What takes the focus is often only about to be drawn.
    const placeSoon = () => requestAnimationFrame(place);
    const hold = () => (press.current = 'held');
    const release = () => {
      const isDue = press.current === 'moves after it';
      press.current = 'none';
      if (isDue) placeSoon();
    };
    place();
    const listening = new AbortController();
    const { signal } = listening;
    document.addEventListener('focusin', placeSoon, { signal });
    document.addEventListener('pointerdown', hold, { signal, capture: true });
    for (const end of ['pointerup', 'pointercancel'])
      document.addEventListener(end, release, { signal, capture: true });
    window.visualViewport?.addEventListener('resize', place, { signal });
    return () => listening.abort();
  }, [stack, shown]);
}

function moveTo(stack: HTMLElement): void {
  if (stack.contains(document.activeElement)) return;
  const width = Math.max(...[...stack.children].map((one) => one.getBoundingClientRect().width));
  const drawers = [...document.querySelectorAll(DRAWER)].filter(makesInert);
  const over = visible([...document.querySelectorAll(OVER), ...drawers]).filter((one) => !stack.contains(one));
  const composer = visible(document.querySelectorAll('main form'));
  const focused = document.activeElement?.matches('input, textarea, [contenteditable]') ? [document.activeElement] : [];
  const pressed = over.flatMap((one) => visible(one.querySelectorAll(PRESSED)));
  const below =
    over.length > 0 ? pressed : [...composer, ...visible(document.querySelectorAll('header button, header a'))];
  const header = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0;
  const busy = [...below, ...focused].map((one) => one.getBoundingClientRect());
  const besides = (over.length > 0 ? over : composer).map((one) => one.getBoundingClientRect());
  const size = { width, height: stack.offsetHeight };
  stack.style.top = `${placeToasts(size, screenBox(), header, busy, besides)}px`;
}

function makesInert(drawer: Element): boolean {
  return [...(drawer.parentElement?.children ?? [])].some((one) => one.hasAttribute('inert'));
}

function visible(elements: Iterable<Element>): Element[] {
  return [...elements].filter((element) => element.checkVisibility());
}

/** What a phone's keyboard leaves of the screen. */
function screenBox(): Box {
  const { offsetTop = 0, height = innerHeight } = window.visualViewport ?? {};
  return { top: offsetTop, bottom: offsetTop + height, left: 0, right: innerWidth };
}
