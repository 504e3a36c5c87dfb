// Generates a title after the first exchange, by the endpoint's configuration, without delaying the answer.
import { repeatUndone, type Db } from '@parley/db/client';
import { endpointTable } from '@parley/schema/catalog/endpoints';
import { findPictureModel } from '@parley/schema/pictures/models';
import type { FinalEvent } from '@parley/schema/generation/events';
import { isFailure, messageText, type Message } from '@parley/schema/messages/messages';
import type { Logger } from 'pino';
import type { Billing, SideCall } from '../billing/billing.ts';
import { createCallCount } from '../billing/call-meter.ts';
import { countTokens } from '../catalog/count-tokens.ts';
import type { Endpoint } from '../catalog/endpoint.ts';
import { findModelMetadata } from '../catalog/model-list.ts';
import type { Delta } from '../generation/delta.ts';
import { unlessAborted, withDeadline } from '../platform/deadline.ts';
import { Refusal } from '../platform/errors.ts';
import { logError } from '../platform/log-error.ts';
import { countCall, countedCall } from '../usage/side-calls.ts';
import { changeTopic } from './changes.ts';
import { renameConvo } from './convos.ts';
import { fallbackTitle, giveFallbackTitles, type Untitled } from './fallback-titles.ts';
import { READ_MAX, tidyTitle } from './tidy-title.ts';
import type { WrittenConvos } from './written-convos.ts';

const TIMEOUT_MS = 45_000;

/** Concurrent title requests. The others wait, so that a burst of new chats does not delay answers. */
const AT_ONCE = 16;
/** As many answers are a crowd, whose titles take turns until it is over. */
const CROWD_MIN_RUNS = 50;
const AT_ONCE_IN_CROWD = 2;

/** Limits how much of question and answer the model gets for a title, in characters (docs/rest-compat.md, Titles). */
const EXCERPT_MAX = 255;

/** For a model that thinks aloud before a title: of the thoughts of Qwen and DeepSeek's models, the limit cuts few. */
const THINKING_TOKENS = 1024;

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
    try {
      const titled = await titleOf({ userId, exchange, endpoint });
      const { conversationId } = exchange.convo;
      const title = { title: titled?.title || fallbackOf(exchange), titledBy: titled && ('model' as const) };
      // In one statement with what the call has used.
      const row = titled?.call
        ? await billing.charge(titled.call, (query, call) =>
            renameConvo(query, userId, conversationId, { ...title, beside: countedCall(call) }),
          )
        : await repeatUndone(() => renameConvo(db.locking, userId, conversationId, title));
      if (row) writtenConvos.offer(row);
      db.tell(changeTopic(userId));
    } catch (error) {
      logError(log, error, { event: 'title.failed', userId });
    }
  }

  /** The model's title, empty when it gives none; null when it is not asked. */
  async function titleOf(ask: TitleAsk): Promise<TitleReply | null> {
    const { userId, exchange, endpoint } = ask;
    // A stopped or failed exchange is a poor basis for a title; a later one gives it.
    const isPoor = exchange.reply.finishReason === 'incomplete' || isFailure(exchange.reply);
    if (isPoor || closing.signal.aborted) return null;
    try {
      const signal = withDeadline(TIMEOUT_MS, closing.signal);
      return await unlessAborted(askForTitle(billing, ask, signal), signal);
    } catch (error) {
      if (closing.signal.aborted) return null;
      const reason = error instanceof Refusal ? error.reason.type : 'unknown';
      log.warn({ event: 'title.failed', endpoint: endpoint.name, userId, reason }, 'No title was given');
      return UNTITLED;
    }
  }
}

const UNTITLED: TitleReply = { title: '', call: null };

function untitledOf([userId, exchange]: Call): Untitled {
  return { userId, conversationId: exchange.convo.conversationId, title: fallbackOf(exchange) };
}

function fallbackOf({ request }: FinalEvent): string {
  return fallbackTitle(messageText(request));
}

interface TitleAsk {
  userId: string;
  exchange: FinalEvent;
  endpoint: Endpoint;
}

interface TitleReply {
  /** Empty when the model's output is no title. */
  title: string;
  /** What is to be charged; null for what costs nothing. */
  call: SideCall | null;
}

/** What it used before it failed is charged. @throws when the provider fails */
async function askForTitle(
  billing: Billing,
  { userId, exchange, endpoint }: TitleAsk,
  signal: AbortSignal,
): Promise<TitleReply> {
  const { conversationId: convoId, model: convoModel, threadIds: ids } = exchange.convo;
  // The first question may have been another model's than its conversation's.
  const model = await titleModelOf(endpoint, userId, exchange.reply.model ?? convoModel);
  // It draws, and writes nothing.
  if (findPictureModel(endpoint.config, model)?.chats === false) return UNTITLED;
  if (endpoint.title)
    return { title: tidyTitle(await endpoint.title({ userId, model, ids: ids ?? {} }, signal)), call: null };
  const prompt = promptOf(exchange);
  const { settings = { temperature: 0.2 }, maxTokens: usual } = endpoint.titleModel;
  const { rates } = await findModelMetadata(endpoint, userId, model);
  if (!(await billing.canPay(userId, endpoint.type, rates))) return UNTITLED;
  const target = await endpoint.target(userId, model);
  // A name of a model on another server does not tell that it thinks first; its answer does.
  const thinks = target.isCompatible && exchange.reply.model === model && hasThoughts(exchange.reply);
  const maxTokens = thinks ? Math.max(usual, THINKING_TOKENS) : usual;
  const messages = [{ role: 'user' as const, content: prompt }];
  const deltas = endpoint.provider({ target, model, settings, messages, userId, maxTokens, isAlone: true }, signal);
  const by = { endpoint: endpoint.name, endpointType: endpoint.type, model, rates };
  return readTitle(billing, { userId, convoId, context: 'title', ...by }, prompt, deltas);
}

function hasThoughts({ parts }: Message): boolean {
  return parts.some(({ type }) => type === 'reasoning');
}

async function readTitle(
  billing: Billing,
  asked: Omit<SideCall, 'used'>,
  prompt: string,
  deltas: AsyncIterable<Delta>,
): Promise<TitleReply> {
  const count = createCallCount(() => countTokens(prompt));
  let text = '';
  try {
    for await (const delta of deltas) {
      count.add(delta);
      if (delta.type === 'text') text += delta.text;
      if (delta.type === 'rewrite') text = delta.text;
      // The rest would be unused.
      if (text.length > READ_MAX) break;
    }
  } catch (error) {
    count.fail();
    const used = await count.used();
    if (used) await billing.charge({ ...asked, used }, countCall);
    throw error;
  }
  const used = await count.used();
  return { title: tidyTitle(text), call: used && { ...asked, used } };
}

async function titleModelOf(endpoint: Endpoint, userId: string, current: string | null): Promise<string> {
  const { titles, models } = endpoint;
  const { model: usual } = endpoint.titleModel;
  const own = current ?? usual ?? endpointTable[endpoint.type].defaultModel;
  switch (titles.model.use) {
    case 'named':
      return titles.model.name;
    case 'current':
      return own;
    case 'default':
      return usual !== null && (await models(userId)).includes(usual) ? usual : own;
    default:
      return titles.model satisfies never;
  }
}

function promptOf({ request, reply }: FinalEvent): string {
  return `Write a title for this conversation in its own language: at most five words, title case, no punctuation, no quotation marks. Answer with the title alone.

User: ${messageText(request).slice(0, EXCERPT_MAX)}
Assistant: ${messageText(reply).slice(0, EXCERPT_MAX)}

Title:`;
}
