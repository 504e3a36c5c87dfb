import type { Query } from '@parley/db/client';
import type { AskInput } from '@parley/schema/ask';
import { countTokens } from '../endpoints/tokens.ts';
import { replyReserveOf, windowOf } from '@parley/schema/windows';
import { chatMessageOf, TOKENS_PER_MESSAGE, walkUp } from '../messages/history.ts';
import type { Ask } from '../messages/open-messages.ts';

/**
 * How many tokens the prompt of an ask will have: what is asked, the instructions, and as much of the history as fits
 * the window. Counted before the transaction that begins the ask, since a long text takes its time.
 */
export async function promptTokensOf(query: Query, { userId, input, endpoint, model, settings }: Ask): Promise<number> {
  const { promptPrefix } = settings;
  const instructions = typeof promptPrefix === 'string' ? await countTokens(promptPrefix) : 0;
  const { text, from, isReplaced } = partsOf(input.target);
  const asked = text === null ? 0 : TOKENS_PER_MESSAGE + (await countTokens(text));
  const own = instructions + asked;
  const room = windowOf(model) - replyReserveOf(endpoint.type, model, settings) - own;
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
    const tokens = TOKENS_PER_MESSAGE + (await countTokens(message.content));
    if (sum + tokens > room) return sum;
    sum += tokens;
  }
  return sum;
}
