import { useState } from 'react';

/** How many places a search has found, and which of them is looked at, from 1; 0 of 0 for none. */
export interface Found {
  at: number;
  of: number;
}

/** A search in the file on screen; the view of the file carries it out. */
export interface Finder {
  /** Empty without a search. */
  text: string;
  /** The number of presses of "next" and "previous" so far, and which one was the last. */
  presses: number;
  step: 1 | -1;
  report: (found: Found | null) => void;
}

export function useFinder() {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState('');
  const [{ presses, step }, setMove] = useState<Pick<Finder, 'presses' | 'step'>>({ presses: 0, step: 1 });
  const [found, report] = useState<Found | null>(null);
  const finder: Finder = { text: isOpen ? text : '', presses, step, report };

  return {
    finder,
    isOpen,
    text,
    found: finder.text === '' ? null : found,
    open: () => setOpen(true),
    close: () => setOpen(false),
    search: setText,
    move: (by: 1 | -1) => setMove((before) => ({ presses: before.presses + 1, step: by })),
  };
}

export type FinderState = ReturnType<typeof useFinder>;

/** The place after a step, from the last to the first and back. */
export function stepped(at: number, step: 1 | -1, count: number): number {
  return count === 0 ? 0 : (at + step + count) % count;
}
