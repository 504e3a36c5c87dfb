// Arrow keys in lists of tools.
import type { KeyboardEvent } from 'react';

/** The arrow keys move from one switch or button of a list to the next. */
export function walkList(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  // A list inside of another one walks by itself.
  event.stopPropagation();
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input:not(:disabled), button')];
  const here = stops.findIndex((one) => one === document.activeElement);
  stops[(here + step + stops.length) % stops.length]?.focus();
}

/** The arrow goes on from the search into the list. */
export function enterList(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown') return;
  event.preventDefault();
  event.stopPropagation();
  const around = event.currentTarget.closest('section, [role=dialog], form');
  const list = around?.querySelector<HTMLElement>('[data-list]') ?? around;
  list?.querySelector<HTMLElement>('input:not(:disabled), button')?.focus();
}
