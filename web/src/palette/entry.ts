import type { TextPart } from '@parley/schema/search';
import type { ComponentType } from 'react';

/** Something to choose in the palette. */
export interface Entry {
  /** Unlike any other's on the list. */
  id: string;
  Icon: ComponentType<{ 'aria-hidden': boolean }>;
  label: string | readonly TextPart[];
  /** In quieter words, beside or below it. */
  hint?: string;
  /** What else it may be looked for by. */
  words?: string;
  /** The keys that do the same. */
  keys?: string;
  run: () => void;
}

export interface EntryGroup {
  name: string;
  entries: Entry[];
}

/** How the field and the list name an option to each other. */
export function optionId(listId: string, { id }: Entry): string {
  return `${listId}-${id.replaceAll(' ', '-')}`;
}

/** Whether each word that is typed begins a word of `text`, whatever the case. The empty query fits everything. */
export function fits(text: string, query: string): boolean {
  const words = wordsOf(text);
  return wordsOf(query).every((typed) => words.some((word) => word.startsWith(typed)));
}

/** Whether each word that is typed stands somewhere in `text`, whatever the case. */
export function contains(text: string, query: string): boolean {
  const folded = text.toLocaleLowerCase();
  return wordsOf(query).every((typed) => folded.includes(typed));
}

function wordsOf(text: string): string[] {
  return text
    .toLocaleLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}
