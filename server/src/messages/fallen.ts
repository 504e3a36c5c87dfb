// What has fallen out of a context window, as far back as a summary of it can be written at once.
import type { Query } from '@parley/db/client';
import type { ChatMessage } from '../endpoints/provider.ts';
import { chatMessageOf } from './history.ts';
import { createPurse } from './purse.ts';
import { missingFrom } from './summary-text.ts';
import { walkUp } from './thread.ts';

export interface Fallen {
  /** Oldest first, each no longer than the budget. */
  messages: ChatMessage[];
  /** The summary of what stands before them. */
  before: string | null;
  /** How many messages are in neither. */
  missing: number;
  /** How many messages stand where the newest of them does, that one included. */
  depth: number;
}

/** No further than this is looked for an earlier summary. */
const FARTHEST = 500;

/** The messages from `newestId` up to an earlier summary, the newest of them as `budget` tokens have room for. */
export async function readFallen(query: Query, userId: string, newestId: string, budget: number): Promise<Fallen> {
  const purse = createPurse(budget);
  const messages: ChatMessage[] = [];
  const fallen = { before: null as string | null, missing: 0, depth: 0 };
  let seen = 0;
  for await (const row of walkUp(query, userId, newestId)) {
    if (seen === 0) fallen.depth = row.depth + 1;
    if (row.summary !== null) {
      fallen.before = row.summary;
      fallen.missing += missingFrom(row.summary);
      break;
    }
    if (seen === FARTHEST) {
      fallen.missing += row.depth + 1;
      break;
    }
    seen++;
    const message = chatMessageOf(row);
    if (!message) continue;
    const content = excerptOf(message.content, budget);
    if (await purse.pay(content)) messages.push({ ...message, content });
    else fallen.missing++;
  }
  return { ...fallen, messages: messages.toReversed() };
}

/** A token is a letter at least, so that this much alone fits well in every script that is not dense. */
function excerptOf(text: string, budget: number): string {
  return text.length <= budget ? text : `${text.slice(0, budget).toWellFormed()}…`;
}
