// Generates a title after the first exchange, by the endpoint's configuration, without delaying the answer.
import type { Db } from '@parley/db/client';
import type { FinalEvent } from '@parley/schema/generation/events';
import { isFailure, messageText } from '@parley/schema/messages/messages';
import type { Logger } from 'pino';
import type { Billing } from '../billing/billing.ts';
import type { Endpoint } from '../catalog/endpoint.ts';
import { unlessAborted, withDeadline } from '../platform/deadline.ts';
import { Refusal } from '../platform/errors.ts';
import { logError } from '../platform/log-error.ts';
import { askForTitle, chargeTitle, type TitleReply, type TitleAsk } from './ask-for-title.ts';
import { renameConvo } from './convos.ts';
import { fallbackTitle, giveFallbackTitles, type Untitled } from './fallback-titles.ts';
import type { WrittenConvos } from './written-convos.ts';

const TIMEOUT_MS = 45_000;

/** Concurrent title requests. The others wait, so that a burst of new chats does not delay answers. */
const AT_ONCE = 16;
/** As many answers are a crowd, whose titles take turns until it is over. */
const CROWD_MIN_RUNS = 50;
const AT_ONCE_IN_CROWD = 2;

type Call = [userId: string, exchange: FinalEvent, endpoint: Endpoint];

export interface Titles {
  /** Generates a conversation's title in the background. */
  give(...call: Call): void;
  /** Stops calling models: waiting conversations get the fallback title until there is a better one. */
  close(): Promise<void>;
}

interface TitleDeps {
  db: Db;
  log: Logger;
  billing: Billing;
  writtenConvos: WrittenConvos;
  /** How many answers this process is writing. */
  running: () => number;
}

/** Titles never fail: without a model's title the conversation gets the beginning of its question. */
export function createTitles({ db, log, billing, writtenConvos, running }: TitleDeps): Titles {
  const waiting: Call[] = [];
  const underWay = new Set<Promise<void>>();
  const closing = new AbortController();
  return {
    give(...call) {
      if (!call[2].titles.enabled) return;
      waiting.push(call);
      next();
    },
    async close() {
      closing.abort();
      await Promise.all([...underWay, giveFallbackTitles(db, waiting.splice(0).map(untitledOf)).catch(onFault)]);
    },
  };

  function next(): void {
    const atOnce = running() > CROWD_MIN_RUNS ? AT_ONCE_IN_CROWD : AT_ONCE;
    while (!closing.signal.aborted && underWay.size < atOnce) {
      const call = waiting.shift();
      if (!call) return;
      const giving = giveTitle(...call).finally(() => {
        underWay.delete(giving);
        next();
      });
      underWay.add(giving);
    }
  }

  function onFault(error: unknown): void {
    logError(log, error, { event: 'title.failed' });
  }

  async function giveTitle(...[userId, exchange, endpoint]: Call): Promise<void> {
    const { conversationId } = exchange.convo;
    try {
      const title = hasReply(exchange) ? await titleOf({ userId, exchange, endpoint }) : null;
      const titledBy = title === null ? null : 'model';
      const row = await renameConvo(db, userId, conversationId, title || fallbackOf(exchange), titledBy);
      if (row) writtenConvos.offer(row);
    } catch (error) {
      logError(log, error, { event: 'title.failed', userId });
    }
  }

  /** The model's title; empty when it gives none, null when there is no time to ask. */
  async function titleOf(ask: TitleAsk): Promise<string | null> {
    const { userId, endpoint } = ask;
    if (closing.signal.aborted) return null;
    if (!(await billing.canPay(userId, endpoint.type))) return '';
    let titled: TitleReply;
    try {
      const signal = withDeadline(TIMEOUT_MS, closing.signal);
      titled = await unlessAborted(askForTitle(ask, signal), signal);
    } catch (error) {
      if (closing.signal.aborted) return null;
      const reason = error instanceof Refusal ? error.reason.type : 'unknown';
      log.warn({ event: 'title.failed', endpoint: endpoint.name, userId, reason }, 'No title was given');
      return '';
    }
    if (titled.call) await chargeTitle(billing, ask, titled.call);
    return titled.title;
  }
}

/** A stopped or failed exchange is a poor basis for a title; a later one gives it. */
function hasReply({ reply }: FinalEvent): boolean {
  return reply.finishReason !== 'incomplete' && !isFailure(reply);
}

function untitledOf([userId, exchange]: Call): Untitled {
  return { userId, conversationId: exchange.convo.conversationId, title: fallbackOf(exchange) };
}

function fallbackOf({ request }: FinalEvent): string {
  return fallbackTitle(messageText(request));
}
