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
import { readOmitted } from './omitted.ts';
import { messageTokens, withSummary, type DueSummary, type History } from './history.ts';
import { summaryMessage, withGap } from './summary-text.ts';
import { SUMMARY_TOKENS, writeSummary, type SummaryAsk } from './write-summary.ts';

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
