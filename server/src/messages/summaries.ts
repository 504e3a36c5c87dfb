// Running summaries of what no longer fits a context window, where the endpoint is set up for them. Each is kept with
// the newest message that it covers, so that later asks and other branches below that message have it, too.
import type { Db } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { messages } from '@parley/db/tables/messages';
import type { Convo } from '@parley/schema/convos';
import { cleanText } from '@parley/schema/clean-text';
import { and, eq } from 'drizzle-orm';
import type { Logger } from 'pino';
import { withDeadline } from '../deadline.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { factsOf } from '../endpoints/models.ts';
import { windowOf } from '@parley/schema/windows';
import { Refusal, refuse } from '../errors.ts';
import type { Money, SideCall } from '../money/money.ts';
import { readFallen, type Fallen } from './fallen.ts';
import { withSummary, type DueSummary, type Fitting, type History } from './history.ts';
import { priceOf } from './purse.ts';
import { summaryMessage, withGap } from './summary-text.ts';

export interface Summaries {
  /** What is sent: with a summary where one is due and can be had, else as things are, which the record says. */
  complete(plan: Fitting, ask: SummaryAsk, signal: AbortSignal): Promise<History>;
}

export interface SummaryAsk {
  userId: string;
  /** As it was when the ask began. */
  convo: Convo;
  endpoint: Endpoint;
  /** Of the conversation. */
  model: string;
}

interface Parts {
  db: Db;
  log: Logger;
  /** The answer waits no longer for a summary. */
  patienceMs: number;
  money: Pick<Money, 'canPay' | 'charge'>;
}

/** A summary has at most so many tokens. */
const SUMMARY_TOKENS = 1024;
/** And so many are kept for the words around what it is made of. */
const PROMPT_TOKENS = 200;
/** Where one failed, the answers of the next so many milliseconds do not wait for another. */
const REST_MS = 60_000;
/** Conversations that rest at once; with more of them the provider is down, and all may try again. */
const RESTING_MAX = 1000;

export function createSummaries({ db, log, patienceMs, money }: Parts): Summaries {
  const resting = new Map<string, number>();
  return { complete };

  async function complete({ history, due }: Fitting, ask: SummaryAsk, signal: AbortSignal): Promise<History> {
    if (!due) return history;
    const { conversationId } = ask.convo;
    const isResting = Date.now() < (resting.get(conversationId) ?? 0);
    const summarised = isResting ? null : await attempt(due, ask, signal);
    if (summarised) resting.delete(conversationId);
    return summarised ?? { ...history, context: { ...history.context, summaryFailed: true } };
  }

  /** Null when there is none to be had. */
  async function attempt(due: DueSummary, ask: SummaryAsk, signal: AbortSignal): Promise<History | null> {
    try {
      return await summarise(due, ask, withDeadline(patienceMs, signal));
    } catch (error) {
      // A stop is no failure.
      if (signal.aborted) return null;
      const reason = error instanceof Refusal ? error.reason.type : error instanceof Error && error.name;
      log.warn({ endpoint: ask.endpoint.name, reason }, 'no summary could be made');
      if (resting.size >= RESTING_MAX) resting.clear();
      resting.set(ask.convo.conversationId, Date.now() + REST_MS);
      return null;
    }
  }

  /** Throws when there is none to be had. */
  async function summarise(due: DueSummary, ask: SummaryAsk, signal: AbortSignal): Promise<History> {
    const { userId, endpoint } = ask;
    const { summaries } = endpoint;
    if (!(await money.canPay(userId, endpoint.type))) refuse({ type: 'insufficient_quota', endpoint: endpoint.name });
    const model = (summaries?.enabled ? summaries.model : undefined) ?? ask.model;
    // The earlier summary and the new one both take their part of the window.
    const { window: told } = await factsOf(endpoint, userId, model);
    const budget = windowOf(model, told) - 2 * SUMMARY_TOKENS - PROMPT_TOKENS;
    const fallen = await readFallen(db.query, userId, due.newestId, budget);
    const text = withGap(await write(fallen, model, ask, signal), fallen.missing);
    const tokens = await priceOf(summaryMessage(text));
    if (tokens > due.room) refuse({ type: 'context_too_long', tokens, window: due.room });
    await keep(ask, due.newestId, text, tokens);
    return withSummary(due.history, text, fallen.depth - fallen.missing, tokens);
  }

  async function write(fallen: Fallen, model: string, ask: SummaryAsk, signal: AbortSignal): Promise<string> {
    const { userId, endpoint } = ask;
    const prompt = promptOf(fallen);
    const call = {
      upstream: await endpoint.upstream(userId, model),
      model,
      settings: { temperature: 0.2 },
      messages: [{ role: 'user' as const, content: prompt }],
      userId,
      maxTokens: SUMMARY_TOKENS,
    };
    let text = '';
    let usage: SideCall['usage'] = null;
    try {
      for await (const delta of endpoint.provider(call, signal)) {
        if (delta.type === 'text') text += delta.text;
        if (delta.type === 'usage') usage = { input: delta.input, output: delta.output };
      }
    } finally {
      const place = {
        userId,
        convoId: ask.convo.conversationId,
        endpointType: endpoint.type,
        context: 'summary' as const,
        rates: (await factsOf(endpoint, userId, model)).rates,
      };
      // What was said before it broke off is paid for; a refusal costs nothing.
      if (usage || text !== '') await money.charge({ ...place, model, prompt, text, usage });
    }
    signal.throwIfAborted();
    const words = cleanText(text).trim();
    return words === '' ? refuse({ type: 'empty_answer' }) : words;
  }

  /** Not when a message of the conversation was changed meanwhile: the summary may tell what is no longer said. */
  async function keep({ userId, convo }: SummaryAsk, messageId: string, summary: string, tokens: number) {
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
}

function promptOf({ before, messages: fallen }: Fallen): string {
  const turns = fallen.map(({ role, content }) => `${role === 'user' ? 'User' : 'Assistant'}: ${content}`);
  const earlier = before === null ? [] : [`Summary of what came before:\n${before}`];
  return [
    'Sum up this conversation for the assistant that will go on with it and cannot see it any more: facts, names, numbers, decisions, what the user wants, what is still open. Keep what matters of the summary of what came before. Write in the language of the conversation, at most 400 words. Answer with the summary alone.',
    ...earlier,
    ...turns,
  ].join('\n\n');
}
