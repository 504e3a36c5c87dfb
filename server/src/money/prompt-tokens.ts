import type { Query } from '@parley/db/client';
import type { AskInput } from '@parley/schema/ask';
import { countTokens } from '../endpoints/tokens.ts';
import { contextLimitsOf } from '../messages/context-limits.ts';
import { chatMessageOf } from '../messages/history.ts';
import type { Ask } from '../messages/open-messages.ts';
import { priceOf } from '../messages/purse.ts';
import { walkUp } from '../messages/thread.ts';

/**
 * How many tokens the prompt of an ask will have: what is asked, the instructions, and as much of the history as fits
 * the window. Counted before the transaction that begins the ask, since a long text takes its time.
 */
export async function promptTokensOf(
  query: Query,
  { userId, input, endpoint, model, facts, settings }: Ask,
): Promise<number> {
  const { window, reserve, instructions } = contextLimitsOf(endpoint, model, settings, facts);
  const { text, from, isReplaced } = partsOf(input.target);
  const own = (await countTokens(instructions)) + (text === null ? 0 : await priceOf(text));
  const room = window - reserve - own;
  const history = from === null ? 0 : await historyTokens(query, userId, { from, isReplaced }, room);
  return own + history;
}

interface Parts {
  text: string | null;
  /** The newest message of the history. */
  from: string | null;
  /** The text stands in the place of that message. */
  isReplaced: boolean;
}

function partsOf(target: AskInput['target']): Parts {
  switch (target.kind) {
    case 'send':
      return { text: target.text, from: target.parentMessageId, isReplaced: false };
    case 'regenerate':
      return { text: null, from: target.parentMessageId, isReplaced: false };
    case 'continue':
      return { text: null, from: target.messageId, isReplaced: false };
    case 'edit':
      return { text: target.text, from: target.messageId, isReplaced: true };
    default:
      return target satisfies never;
  }
}

async function historyTokens(
  query: Query,
  userId: string,
  { from, isReplaced }: { from: string; isReplaced: boolean },
  room: number,
): Promise<number> {
  let sum = 0;
  for await (const row of walkUp(query, userId, from)) {
    const message = isReplaced && row.id === from ? null : chatMessageOf(row);
    if (!message) continue;
    const tokens = await priceOf(message.content);
    if (sum + tokens > room) return sum;
    sum += tokens;
  }
  return sum;
}
