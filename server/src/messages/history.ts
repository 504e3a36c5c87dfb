// What of a conversation the model is shown: as much of its newest end as fits the context window.
import type { Query } from '@parley/db/client';
import { isFailure, textOf, type ContextRecord } from '@parley/schema/messages';
import type { ChatMessage } from '../endpoints/provider.ts';
import { atMostTokens, loadTokenCounter } from '../endpoints/tokens.ts';
import { refuse } from '../errors.ts';
import type { MessageRow } from './present.ts';
import { listAncestors } from './thread.ts';

/** Messages read at a time; most conversations fit in the first page. */
const PAGE = 100;
/** What a message costs beside its text: role and separators, as OpenAI counts them. */
const TOKENS_PER_MESSAGE = 4;

export interface History {
  messages: ChatMessage[];
  context: ContextRecord;
}

/**
 * The branch that ends in `requestId`, cut from its oldest end to fit `budget` tokens.
 * @throws Refusal `context_too_long` when the request alone does not fit
 */
export async function readHistory(
  query: Query,
  userId: string,
  requestId: string,
  { window, budget }: { window: number; budget: number },
): Promise<History> {
  const included: { depth: number; message: ChatMessage }[] = [];
  const purse = createPurse(budget);
  for await (const row of walkUp(query, userId, requestId)) {
    const message = chatMessageOf(row);
    if (!message) continue;
    if (!(await purse.pay(message.content))) {
      if (included.length === 0)
        refuse({ type: 'context_too_long', tokens: await purse.price(message.content), window });
      break;
    }
    included.push({ depth: row.depth, message });
  }
  return {
    messages: included.map(({ message }) => message).toReversed(),
    context: { window, included: included.length, omitted: included.at(-1)?.depth ?? 0 },
  };
}

async function* walkUp(query: Query, userId: string, id: string): AsyncGenerator<MessageRow> {
  let next: string | null = id;
  while (next !== null) {
    const page: MessageRow[] = await listAncestors(query, userId, next, PAGE);
    yield* page;
    next = page.at(-1)?.parentId ?? null;
  }
}

/** Pays with a bound that costs nothing while it suffices, and counts exactly from when it does not. */
function createPurse(budget: number) {
  const paid: string[] = [];
  let count = atMostTokens;
  let left = budget;
  return { pay, price };

  async function pay(text: string): Promise<boolean> {
    if (priceNow(text) > left && count === atMostTokens) await countExactly();
    if (priceNow(text) > left) return false;
    left -= priceNow(text);
    paid.push(text);
    return true;
  }

  async function price(text: string): Promise<number> {
    if (count === atMostTokens) await countExactly();
    return priceNow(text);
  }

  function priceNow(text: string): number {
    return TOKENS_PER_MESSAGE + count(text);
  }

  async function countExactly(): Promise<void> {
    count = await loadTokenCounter();
    left = budget - paid.reduce((sum, text) => sum + priceNow(text), 0);
  }
}

/** Failures say nothing to a model, and neither does an answer that never began. */
function chatMessageOf(row: MessageRow): ChatMessage | null {
  const content = textOf(row);
  if (isFailure(row) || content === '') return null;
  return { role: row.isCreatedByUser ? 'user' : 'assistant', content };
}
