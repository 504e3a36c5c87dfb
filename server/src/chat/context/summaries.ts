// Running summaries of what no longer fits a context window, for endpoints that enable them. Each is stored with the
// newest message it covers, so that later asks and other branches below that message can use it.
import type { Db } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { messages } from '@parley/db/tables/messages';
import { and, eq } from 'drizzle-orm';
import type { Logger } from 'pino';
import { modelWindow } from '@parley/schema/catalog/windows';
import { withDeadline } from '../../platform/deadline.ts';
import { findModelMetadata } from '../../catalog/model-list.ts';
import { Refusal, refuse } from '../../platform/errors.ts';
import type { Billing } from '../../billing/billing.ts';
import { readOmitted, type Omitted } from './omitted.ts';
import { messageTokens, withSummary, type DueSummary, type History } from './history.ts';
import { summaryMessage, withGap } from './summary-text.ts';
import { cleanText } from '@parley/schema/clean-text';
import type { Convo } from '@parley/schema/convos/convos';
import { createCallCount } from '../../billing/call-meter.ts';
import { countTokens } from '../../catalog/count-tokens.ts';
import type { Endpoint } from '../../catalog/endpoint.ts';
import { countCall } from '../../usage/side-calls.ts';

/** Limits the tokens of a summary. */
const SUMMARY_TOKENS = 1024;

export interface Summaries {
  /**
   * The history to send where a summary is due: with it if it can be made, otherwise without, which the record shows.
   */
  complete(history: History, due: DueSummary, ask: SummaryAsk, signal: AbortSignal): Promise<History>;
}

interface Parts {
  db: Db;
  log: Logger;
  /** Limits how long the reply waits for a summary, in milliseconds. */
  timeoutMs: number;
  billing: Pick<Billing, 'canPay' | 'charge'>;
}

/** Tokens kept for the prompt around the messages to summarize. */
const PROMPT_TOKENS = 200;
/** After a failure, answers of that conversation do not wait for another summary for this long. */
const REST_MS = 60_000;
/** How many conversations may be in that cooldown; beyond this the provider is down, and all may try again. */
const RESTING_MAX = 1000;

export function createSummaries({ db, log, timeoutMs, billing }: Parts): Summaries {
  /** By person and conversation: browsers make the ids of conversations. */
  const resting = new Map<string, number>();
  return { complete };

  async function complete(history: History, due: DueSummary, ask: SummaryAsk, signal: AbortSignal): Promise<History> {
    const isResting = Date.now() < (resting.get(keyOf(ask)) ?? 0);
    const summarised = isResting ? null : await attempt(due, ask, signal);
    if (summarised) resting.delete(keyOf(ask));
    return summarised ?? { ...history, context: { ...history.context, summaryFailed: true } };
  }

  /** Null when no summary can be made. */
  async function attempt(due: DueSummary, ask: SummaryAsk, signal: AbortSignal): Promise<History | null> {
    try {
      return await summarise(due, ask, withDeadline(timeoutMs, signal));
    } catch (error) {
      // An abort is not a failure.
      if (signal.aborted) return null;
      const reason = error instanceof Refusal ? error.reason.type : error instanceof Error && error.name;
      log.warn({ endpoint: ask.endpoint.name, reason }, 'no summary could be made');
      if (resting.size >= RESTING_MAX) resting.clear();
      resting.set(keyOf(ask), Date.now() + REST_MS);
      return null;
    }
  }

  /** Throws when no summary can be made. */
  async function summarise(due: DueSummary, ask: SummaryAsk, signal: AbortSignal): Promise<History> {
    const { userId, endpoint } = ask;
    const { summaries } = endpoint;
    const model = (summaries?.enabled ? summaries.model : undefined) ?? ask.model;
    const { window: told, rates } = await findModelMetadata(endpoint, userId, model);
    if (!(await billing.canPay(userId, endpoint.type, rates)))
      refuse({ type: 'insufficient_quota', endpoint: endpoint.name });
    // Both the earlier summary and the new one take a part of the window.
    const budget = modelWindow(model, told) - 2 * SUMMARY_TOKENS - PROMPT_TOKENS;
    const omitted = await readOmitted(db.query, userId, due.newestId, budget);
    const text = withGap(await writeSummary(omitted, model, ask, billing, signal), omitted.missing);
    const tokens = await messageTokens(summaryMessage(text));
    if (tokens > due.room) refuse({ type: 'context_too_long', tokens, window: due.room });
    await store(db, ask, due.newestId, text, tokens);
    return withSummary(due.history, text, omitted.depth - omitted.missing, tokens);
  }
}

/** Skipped when a message of the conversation has changed meanwhile: the summary may be out of date. */
async function store(db: Db, { userId, convo }: SummaryAsk, messageId: string, summary: string, tokens: number) {
  await db.query.transaction(async (tx) => {
    const [now] = await tx
      .select({ messagesSeq: convos.messagesSeq })
      .from(convos)
      .where(and(eq(convos.userId, userId), eq(convos.id, convo.conversationId)))
      .for('share');
    if (now?.messagesSeq !== convo.messagesSeq) return;
    await tx
      .update(messages)
      .set({ summary, summaryTokens: tokens })
      .where(and(eq(messages.userId, userId), eq(messages.id, messageId)));
  });
}

function keyOf({ userId, convo }: SummaryAsk): string {
  return `${userId} ${convo.conversationId}`;
}

// Asks the model for a summary of messages, and charges for it.
interface SummaryAsk {
  userId: string;
  /** As it was when the ask began. */
  convo: Convo;
  endpoint: Endpoint;
  /** Of the conversation. */
  model: string;
}

/** Never empty. Throws when no summary can be made. */
async function writeSummary(
  omitted: Omitted,
  model: string,
  ask: SummaryAsk,
  billing: Pick<Billing, 'charge'>,
  signal: AbortSignal,
): Promise<string> {
  const { userId, endpoint } = ask;
  const prompt = promptOf(omitted);
  const call = {
    target: await endpoint.target(userId, model),
    model,
    settings: { temperature: 0.2 },
    messages: [{ role: 'user' as const, content: prompt }],
    userId,
    maxTokens: SUMMARY_TOKENS,
    isAlone: true,
  };
  let text = '';
  const count = createCallCount(() => countTokens(prompt));
  try {
    for await (const delta of endpoint.provider(call, signal)) {
      count.add(delta);
      if (delta.type === 'text') text += delta.text;
    }
  } catch (error) {
    count.fail();
    throw error;
  } finally {
    const used = await count.used();
    const item = {
      userId,
      convoId: ask.convo.conversationId,
      endpoint: endpoint.name,
      endpointType: endpoint.type,
      context: 'summary' as const,
      rates: (await findModelMetadata(endpoint, userId, model)).rates,
    };
    // Output before a break is charged; a refusal costs nothing.
    if (used) await billing.charge({ ...item, model, used }, countCall);
  }
  signal.throwIfAborted();
  const words = cleanText(text).trim();
  return words === '' ? refuse({ type: 'empty_answer' }) : words;
}

function promptOf({ before, messages }: Omitted): string {
  const turns = messages.map(({ role, content }) => `${role === 'user' ? 'User' : 'Assistant'}: ${content}`);
  const earlier = before === null ? [] : [`Summary of what came before:\n${before}`];
  return [
    'Sum up this conversation for the assistant that will go on with it and cannot see it any more: facts, names, numbers, decisions, what the user wants, what is still open. Keep what matters of the summary of what came before. Write in the language of the conversation, at most 400 words. Answer with the summary alone.',
    ...earlier,
    ...turns,
  ].join('\n\n');
}
