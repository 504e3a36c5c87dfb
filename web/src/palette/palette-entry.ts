import type { TextPart } from '@parley/schema/search/search';
import type { ComponentType } from 'react';

/** An entry of the palette. */
export interface PaletteEntry {
  /** Unique in the list. */
  id: string;
  Icon: ComponentType<{ 'aria-hidden': boolean }>;
  label: string | readonly TextPart[];
  /** Secondary text, next to the label or below it. */
  hint?: string;
  /** Additional search terms. */
  words?: string;
  /** The keyboard shortcut of the same action. */
  keys?: string;
  run: () => void;
}

export interface PaletteGroup {
  name: string;
  entries: PaletteEntry[];
}

/** DOM ids that connect the input and the options (ARIA). */
export function optionId(listId: string, { id }: PaletteEntry): string {
  return `${listId}-${id.replaceAll(' ', '-')}`;
}

/** Whether each typed word is a prefix of a word of `text`, ignoring case. The empty query matches everything. */
export function matchesWordStarts(text: string, query: string): boolean {
  const words = wordsOf(text);
  return wordsOf(query).every((typed) => words.some((word) => word.startsWith(typed)));
}

/** Whether each typed word occurs anywhere in `text`, ignoring case. */
export function containsWords(text: string, query: string): boolean {
  const folded = text.toLocaleLowerCase();
  return wordsOf(query).every((typed) => folded.includes(typed));
}

function wordsOf(text: string): string[] {
  return text
    .toLocaleLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}
