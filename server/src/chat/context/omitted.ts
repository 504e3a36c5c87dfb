// Reads the messages that do not fit a context window, as far back as one summary can cover.
import type { Query } from '@parley/db/client';
import type { ChatMessage } from '../../providers/provider.ts';
import { namesOnly } from './files/attachments.ts';
import { createTokenBudget, historyMessageOf } from './history.ts';
import { missingFrom } from './summary-text.ts';
import { walkUp } from '../../messages/thread.ts';

export interface Omitted {
  /** Oldest first, each cut to the budget. */
  messages: ChatMessage[];
  /** Holds the earlier summary, of the messages before them. */
  before: string | null;
  /** Counts the messages that neither of them covers. */
  missing: number;
  /** Gives the depth of the newest of them: the number of messages down to it, itself included. */
  depth: number;
}

/** Limits how far back an earlier summary is looked for, in messages. */
const WALK_MESSAGES_MAX = 500;

/** Reads the messages from `newestId` up to an earlier summary, as many of the newest as fit `budget` tokens. */
export async function readOmitted(query: Query, userId: string, newestId: string, budget: number): Promise<Omitted> {
  const tokenBudget = createTokenBudget(budget);
  const messages: ChatMessage[] = [];
  const omitted: Omit<Omitted, 'messages'> = { before: null, missing: 0, depth: 0 };
  let seen = 0;
  for await (const row of walkUp(query, userId, newestId)) {
    if (seen === 0) omitted.depth = row.depth + 1;
    if (row.summary !== null) {
      omitted.before = row.summary;
      omitted.missing += missingFrom(row.summary);
      break;
    }
    if (seen === WALK_MESSAGES_MAX) {
      omitted.missing += row.depth + 1;
      break;
    }
    seen++;
    const message = await historyMessageOf(row, namesOnly, false);
    if (!message) continue;
    const content = excerptOf(message.content, budget);
    if (await tokenBudget.add(content)) messages.push({ role: message.role, content });
    else omitted.missing++;
  }
  return { ...omitted, messages: messages.toReversed() };
}

/** A token is at least one letter, so this many characters fit in every script that is not dense. */
function excerptOf(text: string, budget: number): string {
  return text.length <= budget ? text : `${text.slice(0, budget).toWellFormed()}…`;
}
