// What is typed in the message box to open a list of suggestions.

import { PROMPT_COMMAND_MAX } from '@parley/schema/prompts/prompt-rules';

export type Sign = '/' | '@' | '#';

export interface Trigger {
  sign: Sign;
  /** What follows the sign. */
  query: string;
  /** Where the sign stands in the text. */
  start: number;
}

/** Longer words are no longer a search. */
const QUERY_MAX = PROMPT_COMMAND_MAX;

/**
 * The sign before the caret that asks for a list: `/` alone at the beginning of the text, `@` and `#` at the beginning of a
 * word. Not in a path, an e-mail address or a heading.
 */
export function findTrigger(text: string, caret: number): Trigger | null {
  const before = text.slice(0, caret);
  const [, sign, query = ''] = /(?:^|\s)([@#/])(\S*)$/.exec(before) ?? [];
  if (!isSign(sign) || query.length > QUERY_MAX || /[@#/]/.test(query)) return null;
  const start = before.length - query.length - 1;
  if (sign === '/' && start > 0) return null;
  return { sign, query, start };
}

function isSign(sign: string | undefined): sign is Sign {
  return sign === '/' || sign === '@' || sign === '#';
}
