// Chooses the history a model is shown: as many of the newest messages as fit the context window. Both the ask and the
// budget preview use this.
import { isFailure, messageText, type ContextRecord, type Message } from '@parley/schema/messages/messages';
import { refuse } from '../../platform/errors.ts';
import { withAttachments, type AttachmentRules, type HistoryMessage } from './files/attachments.ts';
import type { ContextLimits } from './context-limits.ts';
import type { MessageRow } from '../../messages/present.ts';
import { historyStep, splitSteps, stepTokens } from './steps.ts';
import { missingFrom, summaryMessage } from './summary-text.ts';
import { withoutMarks } from '../../retrieval/cite.ts';
import { countTokens, estimateTokens } from '../../catalog/count-tokens.ts';

/** Counts a message's overhead beside its text (role and separators), as OpenAI does. */
const TOKENS_PER_MESSAGE = 4;

/** Holds the last message: a question, stored or not, or the partial answer to continue. */
export type LastMessage = Pick<Message, 'parts' | 'reason' | 'isCreatedByUser' | 'parentMessageId'> & {
  /** Null while the message is not stored yet. */
  messageId: string | null;
};

/** Reads a branch and prices its texts. */
export interface HistorySource {
  /** Walks the messages from this one up to the root, itself first. */
  walkUp(id: string): AsyncIterable<LineRow>;
  countTokens(text: string): Promise<number>;
}

export interface History {
  /** Oldest first. */
  messages: HistoryMessage[];
  /** Holds the summary of the omitted messages; null when there is none. */
  summary: string | null;
  context: ContextRecord;
}

/** Describes a summary that must be written before the history can be sent with it. */
export interface DueSummary {
  /** Names the newest message that it is to cover. */
  newestId: string;
  /** Counts the messages it covers. */
  about: number;
  /** Limits its tokens. */
  room: number;
  /** The history sent with it. */
  history: History;
}

export interface Fitting {
  fits: true;
  /** The history to send without a new summary. */
  history: History;
  /** Null when nothing is left out, a summary is there already, or none is wanted. */
  due: DueSummary | null;
  /** Tokens of the last message. */
  last: number;
}

export type Plan = Fitting | { fits: false; instructions: number; last: number; required: number };

/**
 * Plans the branch that ends in `last`, cut from its oldest end to fit the limits. With a summary, half of the budget
 * goes to the newest messages, so that the next summary is not due at once.
 */
export async function planHistory(source: HistorySource, last: LastMessage, limits: ContextLimits): Promise<Plan> {
  const budget = limits.window - limits.reserve;
  const tokenBudget = createTokenBudget(budget, source.countTokens);
  if (limits.instructions !== '' && !(await tokenBudget.add(limits.instructions)))
    return tooLong(limits.instructions, [], { role: 'user', content: messageText(last) });
  const line: Shown[] = [];
  const required = last.isCreatedByUser || last.parentMessageId === null ? 1 : 2;
  let stored: { row: LineRow; place: number } | null = null;
  let overflow: LineRow | null = null;
  for await (const row of lineUpFrom(source, last)) {
    // The oldest summary that leaves room for everything said since leaves the least to summarize.
    const isUsable = limits.summarises && row.summary !== null && line.length >= required;
    if (isUsable && (await tokenBudget.fits(summaryMessage(row.summary ?? '')))) stored = { row, place: line.length };
    const message = await messageAbove(line, row, limits.attachments);
    if (!message) continue;
    if (!(await tokenBudget.add(message.content, message.attachedTokens))) {
      if (line.length < required) return tooLong(limits.instructions, line, message);
      overflow = row;
      break;
    }
    line.push({ id: row.id, depth: row.depth, message });
  }
  const paid = tokenBudget.counts();
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

  /** Counts the newest messages that fit the token budget, including those that are always sent. */
  function placeWithin(tokens: number): number {
    let count = 0;
    let spent = 0;
    for (const price of paid.slice(0, line.length)) {
      spent += price;
      if (count >= required && spent > tokens) break;
      count++;
    }
    return count;
  }
}

/** @throws Refusal `context_too_long` when the question, with what there is of its reply, does not fit alone */
export function assertFits(plan: Plan, window: number): Fitting {
  return plan.fits ? plan : refuse({ type: 'context_too_long', tokens: plan.required, window });
}

/** Gives the history with a summary of what it omits. */
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
  message: HistoryMessage;
}

/** A message of the branch; one that is not stored yet has no id. */
export type LineRow = Pick<MessageRow, 'depth' | 'parts' | 'reason' | 'isCreatedByUser' | 'summary'> & {
  id: string | null;
};

/** `last` and its ancestors. */
export async function* lineUpFrom(source: HistorySource, last: LastMessage): AsyncGenerator<LineRow> {
  const own = { ...last, id: last.messageId, summary: null };
  let isBegun = false;
  for await (const row of last.parentMessageId === null ? [] : source.walkUp(last.parentMessageId)) {
    if (!isBegun) yield { ...own, depth: row.depth + 1 };
    isBegun = true;
    yield row;
  }
  if (!isBegun) yield { ...own, depth: 0 };
}

function messageAbove(line: readonly Shown[], row: LineRow, rules: AttachmentRules): Promise<HistoryMessage | null> {
  const isNewestQuestion = !line.some(({ message }) => message.role === 'user');
  const age = line.filter(({ message }) => message.role === 'assistant').length;
  return historyMessageOf(row, rules, isNewestQuestion, age);
}

async function tooLong(instructions: string, line: readonly Shown[], message: HistoryMessage): Promise<Plan> {
  const tokensOf = async ({ content, attachedTokens = 0 }: HistoryMessage) =>
    (await messageTokens(content)) + attachedTokens;
  const known = await Promise.all(line.map((shown) => tokensOf(shown.message)));
  const burden = instructions === '' ? 0 : await messageTokens(instructions);
  const last = await tokensOf(message);
  return { fits: false, instructions: burden, last: known[0] ?? last, required: burden + sum(known) + last };
}

/** Messages the protocol would drop are not sent and not reported as sent. */
function cutAt(line: readonly Shown[], required: number, { opensWithQuestion }: ContextLimits): number {
  const isDropped = opensWithQuestion && line.length > required && line.at(-1)?.message.role === 'assistant';
  return isDropped ? line.length - 1 : line.length;
}

async function withStored(history: History, { summary, depth }: LineRow): Promise<History> {
  const text = summary ?? '';
  return withSummary(history, text, depth + 1 - missingFrom(text), await messageTokens(summaryMessage(text)));
}

/**
 * Skips failures and answers that never began: they mean nothing to a model. `age` is the number of newer answers: of
 * older ones the results of tools are shortened.
 */
export async function historyMessageOf(
  row: Pick<Message, 'parts' | 'reason' | 'isCreatedByUser'> & { id: string | null },
  rules: AttachmentRules,
  isLast: boolean,
  age = 0,
): Promise<HistoryMessage | null> {
  if (isFailure(row)) return null;
  const { steps, rest } = rules.steps && !row.isCreatedByUser ? splitSteps(row.parts) : { steps: [], rest: row.parts };
  // A reply above the newest question; that below it is to be continued as it stands.
  const text = row.isCreatedByUser || isLast ? messageText({ parts: rest }) : withoutMarks(rest);
  if (row.isCreatedByUser) {
    const isBare = row.parts.every(({ type }) => type === 'text') && !(isLast && rules.files.passages);
    const question: HistoryMessage = isBare
      ? { role: 'user', content: text }
      : await withAttachments(row.parts, text, rules, isLast);
    return question.content === '' && !question.images && !question.attachedTokens ? null : question;
  }
  const { steps: stepRules } = rules;
  if (!stepRules || steps.length === 0) return text === '' ? null : { role: 'assistant', content: text };
  const shown = steps.map((step) => historyStep(step, { messageId: row.id ?? '', age }, stepRules));
  const imageTokens = shown.flatMap(({ calls }) => calls.flatMap(({ images }) => images.map(rules.tokensOf)));
  return { role: 'assistant', content: text, steps: shown, attachedTokens: sum(imageTokens) + stepTokens(shown) };
}

function sum(prices: readonly number[]): number {
  return prices.reduce((total, price) => total + price, 0);
}

/** The tokens that a context window has for messages. */
interface TokenBudget {
  /** False when it does not fit; then nothing is added. */
  add(text: string, imageTokens?: number): Promise<boolean>;
  fits(text: string): Promise<boolean>;
  /** The tokens of each message in the order they were added: exact where that mattered, otherwise an estimate. */
  counts(): number[];
}

/** Uses an upper bound by bytes while that fits, and counts exactly (`count`) as soon as it does not. */
export function createTokenBudget(budget: number, count = messageTokens): TokenBudget {
  const added: { text: string; imageTokens: number; tokens: number }[] = [];
  let isExact = false;
  let left = budget;
  return {
    async add(text, imageTokens = 0) {
      const tokens = await fittingCount(text, imageTokens);
      if (tokens === null) return false;
      left -= tokens;
      added.push({ text, imageTokens, tokens });
      return true;
    },
    fits: async (text) => (await fittingCount(text, 0)) !== null,
    counts: () =>
      added.map(({ text, imageTokens, tokens }) =>
        isExact ? tokens : TOKENS_PER_MESSAGE + imageTokens + estimateTokens(text),
      ),
  };

  async function fittingCount(text: string, imageTokens: number): Promise<number | null> {
    // A token is at least one byte of UTF-8.
    const bound = TOKENS_PER_MESSAGE + Buffer.byteLength(text) + imageTokens;
    if (!isExact && bound > left) await countExactly();
    const tokens = isExact ? imageTokens + (await count(text)) : bound;
    return tokens <= left ? tokens : null;
  }

  async function countExactly(): Promise<void> {
    isExact = true;
    left = budget;
    for (const one of added) {
      one.tokens = one.imageTokens + (await count(one.text));
      left -= one.tokens;
    }
  }
}

/** The exact tokens of a message. */
export async function messageTokens(text: string): Promise<number> {
  return TOKENS_PER_MESSAGE + (await countTokens(text));
}
