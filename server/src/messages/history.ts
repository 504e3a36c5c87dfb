// What of a conversation the model is shown: as much of its newest end as fits the context window. The ask and the
// budget that is told before it come from here alike.
import type { Query } from '@parley/db/client';
import { isFailure, textOf, type ContextRecord, type Message } from '@parley/schema/messages';
import type { ChatMessage } from '../endpoints/provider.ts';
import { refuse } from '../errors.ts';
import type { ContextLimits } from './context-limits.ts';
import type { MessageRow } from './present.ts';
import { createPurse, priceOf } from './purse.ts';
import { missingFrom, summaryMessage } from './summary-text.ts';
import { walkUp } from './thread.ts';

/** What is asked now: a question, stored or not, or what there is of an answer that is to go on. */
export type LastMessage = Pick<Message, 'parts' | 'reason' | 'isCreatedByUser' | 'parentMessageId'> & {
  /** Null for one that is only being written. */
  messageId: string | null;
};

/** Where a branch is read from, and what texts cost. */
export interface HistorySource {
  /** The messages from this one towards the root, itself first. */
  walkUp(id: string): AsyncIterable<LineRow>;
  priceOf(text: string): Promise<number>;
}

export interface History {
  /** Oldest first. */
  messages: ChatMessage[];
  /** What the model is told of the messages that were left out; null when it is told nothing. */
  summary: string | null;
  context: ContextRecord;
}

/** A summary that has to be written before the history can be sent with it. */
export interface DueSummary {
  /** The newest message that it is to cover. */
  newestId: string;
  /** How many messages it is about, as far as they can be read. */
  about: number;
  /** The tokens that are left for it. */
  room: number;
  /** What is sent along with it. */
  history: History;
}

export interface Fitting {
  fits: true;
  /** What can be sent as things are. */
  history: History;
  /** Null when nothing is left out, a summary is there already, or none is wanted. */
  due: DueSummary | null;
  /** Tokens of the last message. */
  last: number;
}

export type Plan = Fitting | { fits: false; instructions: number; last: number; required: number };

/**
 * The branch that ends in `last`, cut from its oldest end to what the limits leave for it. With a summary half of that
 * is for the newest messages, so that the next one is not due at once.
 */
export async function planHistory(source: HistorySource, last: LastMessage, limits: ContextLimits): Promise<Plan> {
  const budget = limits.window - limits.reserve;
  const purse = createPurse(budget, source.priceOf);
  if (limits.instructions !== '' && !(await purse.pay(limits.instructions))) return tooLong(limits, [], textOf(last));
  const line: Shown[] = [];
  const required = last.isCreatedByUser || last.parentMessageId === null ? 1 : 2;
  let stored: { row: LineRow; place: number } | null = null;
  let overflow: LineRow | null = null;
  for await (const row of lineUpFrom(source, last)) {
    // The oldest summary with room for all that was said since leaves the least to a summary.
    const isUsable = limits.summarises && row.summary !== null && line.length >= required;
    if (isUsable && (await purse.canPay(summaryMessage(row.summary ?? '')))) stored = { row, place: line.length };
    const message = chatMessageOf(row);
    if (!message) continue;
    if (!(await purse.pay(message.content))) {
      if (line.length < required) return tooLong(limits, line, message.content);
      overflow = row;
      break;
    }
    line.push({ id: row.id, depth: row.depth, message });
  }
  const paid = purse.prices();
  const instructions = limits.instructions === '' ? 0 : (paid.shift() ?? 0);
  const common = { fits: true as const, last: paid[0] ?? 0 };

  if (overflow === null) return { ...common, history: historyOf(line.length), due: null };
  if (stored) return { ...common, history: await withStored(historyOf(stored.place), stored.row), due: null };
  if (!limits.summarises) return { ...common, history: historyOf(cutAt(line, required, limits)), due: null };
  const history = historyOf(placeWithin((budget - instructions) / 2));
  const newest = line[history.context.included] ?? overflow;
  const due = {
    newestId: newest.id ?? '',
    about: history.context.omitted,
    room: budget - (history.context.tokens ?? 0),
    history,
  };
  return { ...common, history: historyOf(line.length), due };

  function historyOf(count: number): History {
    const shown = line.slice(0, count);
    const oldest = shown.at(-1);
    return {
      messages: shown.map(({ message }) => message).toReversed(),
      summary: null,
      context: {
        window: limits.window,
        included: count,
        omitted: oldest?.depth ?? 0,
        tokens: instructions + sum(paid.slice(0, count)),
        reserve: limits.reserve,
        instructions,
        ...(oldest && oldest.id !== null && { oldestId: oldest.id }),
      },
    };
  }

  /** How many of the newest messages fit so many tokens, those that must be sent in any case. */
  function placeWithin(tokens: number): number {
    let place = 0;
    let spent = 0;
    for (const price of paid.slice(0, line.length)) {
      spent += price;
      if (place >= required && spent > tokens) break;
      place++;
    }
    return place;
  }
}

/** @throws Refusal `context_too_long` when the question, with what there is of its answer, does not fit alone */
export async function readHistory(
  query: Query,
  userId: string,
  last: LastMessage,
  limits: ContextLimits,
): Promise<Fitting> {
  const source = { walkUp: (id: string) => walkUp(query, userId, id), priceOf };
  const plan = await planHistory(source, last, limits);
  return plan.fits ? plan : refuse({ type: 'context_too_long', tokens: plan.required, window: limits.window });
}

/** A history with a summary of what is left out. */
export function withSummary(history: History, text: string, messages: number, tokens: number): History {
  const { context } = history;
  return {
    ...history,
    summary: summaryMessage(text),
    context: { ...context, tokens: (context.tokens ?? 0) + tokens, summary: { messages, tokens } },
  };
}

interface Shown {
  id: string | null;
  depth: number;
  message: ChatMessage;
}

/** A message on the way up; the one that is only being written has no id. */
export type LineRow = Pick<MessageRow, 'depth' | 'parts' | 'reason' | 'isCreatedByUser' | 'summary'> & {
  id: string | null;
};

/** `last` and what stands above it. */
async function* lineUpFrom(source: HistorySource, last: LastMessage): AsyncGenerator<LineRow> {
  const begin = (depth: number): LineRow => ({ ...last, id: last.messageId, depth, summary: null });
  let isBegun = false;
  for await (const row of last.parentMessageId === null ? [] : source.walkUp(last.parentMessageId)) {
    if (!isBegun) yield begin(row.depth + 1);
    isBegun = true;
    yield row;
  }
  if (!isBegun) yield begin(0);
}

async function tooLong({ instructions }: ContextLimits, line: readonly Shown[], text: string): Promise<Plan> {
  const known = await Promise.all(line.map(({ message }) => priceOf(message.content)));
  const burden = instructions === '' ? 0 : await priceOf(instructions);
  const last = await priceOf(text);
  return { fits: false, instructions: burden, last: known[0] ?? last, required: burden + sum(known) + last };
}

/** What the wire would drop is not sent, and so not said to have been. */
function cutAt(line: readonly Shown[], required: number, { opensWithQuestion }: ContextLimits): number {
  const isDropped = opensWithQuestion && line.length > required && line.at(-1)?.message.role === 'assistant';
  return isDropped ? line.length - 1 : line.length;
}

async function withStored(history: History, { summary, depth }: LineRow): Promise<History> {
  const text = summary ?? '';
  return withSummary(history, text, depth + 1 - missingFrom(text), await priceOf(summaryMessage(text)));
}

/** Failures say nothing to a model, and neither does an answer that never began. */
export function chatMessageOf(row: Pick<Message, 'parts' | 'reason' | 'isCreatedByUser'>): ChatMessage | null {
  const content = textOf(row);
  if (isFailure(row) || content === '') return null;
  return { role: row.isCreatedByUser ? 'user' : 'assistant', content };
}

function sum(prices: readonly number[]): number {
  return prices.reduce((total, price) => total + price, 0);
}
