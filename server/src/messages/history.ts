// What of a conversation the model is shown: as much of its newest end as fits the context window.
import type { Query } from '@parley/db/client';
import { isFailure, textOf, type ContextRecord, type Message } from '@parley/schema/messages';
import type { ChatMessage } from '../endpoints/provider.ts';
import { atMostTokens, countTokens } from '../endpoints/tokens.ts';
import { refuse } from '../errors.ts';
import type { MessageRow } from './present.ts';
import { listAncestors } from './thread.ts';

/** Messages read at a time; most conversations fit in the first page. */
const PAGE = 100;
/** What a message costs beside its text: role and separators, as OpenAI counts them. */
export const TOKENS_PER_MESSAGE = 4;

export interface History {
  messages: ChatMessage[];
  context: ContextRecord;
}

/**
 * The branch that ends in `last`, cut from its oldest end to fit `budget` tokens. The last message is a question, or
 * what there is of an answer that is to go on.
 * @throws Refusal `context_too_long` when the question, with what there is of its answer, does not fit alone
 */
export async function readHistory(
  query: Query,
  userId: string,
  last: Message,
  { window, budget }: { window: number; budget: number },
): Promise<History> {
  const isRoot = last.parentMessageId === null;
  const required = last.isCreatedByUser || isRoot ? 1 : 2;
  const included: { depth: number; message: ChatMessage }[] = [];
  const purse = createPurse(budget);
  for await (const row of isRoot ? [{ ...last, depth: 0 }] : walkUp(query, userId, last.messageId)) {
    const message = chatMessageOf(row);
    if (!message) continue;
    if (!(await purse.pay(message.content))) {
      if (included.length < required)
        refuse({ type: 'context_too_long', tokens: await price(message.content), window });
      break;
    }
    included.push({ depth: row.depth, message });
  }
  return {
    messages: included.map(({ message }) => message).toReversed(),
    context: { window, included: included.length, omitted: included.at(-1)?.depth ?? 0 },
  };
}

/** A message and all above it, newest first. */
export async function* walkUp(query: Query, userId: string, id: string): AsyncGenerator<MessageRow> {
  let next: string | null = id;
  let youngest = Infinity;
  while (next !== null) {
    const page: MessageRow[] = await listAncestors(query, userId, next, PAGE);
    for (const row of page) {
      // A parent is always older. A younger one would be a damaged row, perhaps a cycle.
      if (row.seq >= youngest) return;
      youngest = row.seq;
      yield row;
    }
    next = page.at(-1)?.parentId ?? null;
  }
}

/** Pays with a bound that costs nothing while it suffices, and counts exactly from when it does not. */
function createPurse(budget: number) {
  const paid: string[] = [];
  let isExact = false;
  let left = budget;
  return { pay };

  async function pay(text: string): Promise<boolean> {
    if (!isExact && TOKENS_PER_MESSAGE + atMostTokens(text) > left) await countExactly();
    const price = TOKENS_PER_MESSAGE + (isExact ? await countTokens(text) : atMostTokens(text));
    if (price > left) return false;
    left -= price;
    paid.push(text);
    return true;
  }

  async function countExactly(): Promise<void> {
    isExact = true;
    left = budget;
    for (const text of paid) left -= await price(text);
  }
}

async function price(text: string): Promise<number> {
  return TOKENS_PER_MESSAGE + (await countTokens(text));
}

/** Failures say nothing to a model, and neither does an answer that never began. */
export function chatMessageOf(row: Pick<Message, 'parts' | 'reason' | 'isCreatedByUser'>): ChatMessage | null {
  const content = textOf(row);
  if (isFailure(row) || content === '') return null;
  return { role: row.isCreatedByUser ? 'user' : 'assistant', content };
}
