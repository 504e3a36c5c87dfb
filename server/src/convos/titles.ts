// A title after the first exchange, by the endpoint's rules and never at the price of the answer.
import type { Db } from '@parley/db/client';
import type { FinalEvent } from '@parley/schema/events';
import { endpointTable, type EndpointType } from '@parley/schema/endpoints';
import { isFailure, textOf, type Usage } from '@parley/schema/messages';
import type { Settings } from '@parley/schema/params';
import { cleanText } from '@parley/schema/clean-text';
import { TITLE_MAX } from '@parley/schema/convos';
import type { Logger } from 'pino';
import { withDeadline } from '../deadline.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { factsOf } from '../endpoints/models.ts';
import type { Money } from '../money/money.ts';
import { renameConvo } from './convos.ts';

/** As much of the question and of the answer as the model is shown for a title, in characters (C.4 of the REST facts). */
const EXCERPT_MAX = 255;
const TIMEOUT_MS = 45_000;
/** A title made without a model: the beginning of the question. */
const FALLBACK_MAX = 40;

/** Who writes titles unless the configuration says so, and at which length at most, in tokens (C.4 of the REST facts). */
const RULES: Partial<Record<EndpointType, Rule>> = {
  anthropic: { model: 'claude-3-haiku-20240307', maxTokens: 1024 },
  // Its models may think before they write.
  google: { model: null, maxTokens: 1024 },
  bingAI: { model: null, maxTokens: 1024, settings: { toneStyle: 'precise' } },
};
const ORDINARY: Rule = { model: 'gpt-3.5-turbo', maxTokens: 16 };

interface Rule {
  model: string | null;
  maxTokens: number;
  settings?: Settings;
}

/** Titles that are asked for at the same time. The others wait: a crowd of new chats is there for its answers. */
const AT_ONCE = 16;

type Call = [userId: string, exchange: FinalEvent, endpoint: Endpoint];

export interface Titles {
  /** Gives a conversation its title in a while. */
  give(...call: Call): void;
  /** Asks no model any more: who still waits is called by how it began, until there is a better title. */
  close(): Promise<void>;
}

/** Titles never fail: without a model's the conversation is called by how it began. */
export function createTitles(db: Db, log: Logger, money: Money): Titles {
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
      await Promise.all([...underWay, ...waiting.splice(0).map((call) => giveTitle(...call))]);
    },
  };

  function next(): void {
    if (closing.signal.aborted || underWay.size >= AT_ONCE) return;
    const call = waiting.shift();
    if (!call) return;
    const giving = giveTitle(...call).finally(() => {
      underWay.delete(giving);
      next();
    });
    underWay.add(giving);
  }

  async function giveTitle(...[userId, exchange, endpoint]: Call): Promise<void> {
    const { conversationId } = exchange.convo;
    try {
      const title = isAnswered(exchange) ? await askForTitle(userId, exchange, endpoint) : null;
      if (title === null) await renameConvo(db, userId, conversationId, fallbackOf(exchange), null);
      else await renameConvo(db, userId, conversationId, title || fallbackOf(exchange), 'model');
    } catch (error) {
      log.error({ err: error instanceof Error ? error.name : 'not an error' }, 'a title could not be saved');
    }
  }

  /** What the model says; empty when it says nothing of use, null when there is no time to ask. */
  async function askForTitle(...[userId, exchange, endpoint]: Call): Promise<string | null> {
    if (closing.signal.aborted) return null;
    if (!(await money.canPay(userId, endpoint.type))) return '';
    const signal = withDeadline(TIMEOUT_MS, closing.signal);
    const prompt = promptOf(exchange);
    let model = '';
    let title = '';
    let usage: Pick<Usage, 'input' | 'output'> | null = null;
    try {
      model = await titleModelOf(endpoint, userId, exchange.convo.model);
      if (endpoint.title)
        return tidyTitle(await endpoint.title({ userId, model, ids: exchange.convo.upstream ?? {} }, signal));
      const call = {
        upstream: await endpoint.upstream(userId, model),
        model,
        settings: ruleOf(endpoint).settings ?? { temperature: 0.2 },
        messages: [{ role: 'user' as const, content: prompt }],
        userId,
        maxTokens: ruleOf(endpoint).maxTokens,
      };
      for await (const delta of endpoint.provider(call, signal)) {
        if (delta.type === 'text') title += delta.text;
        if (delta.type === 'usage') usage = delta;
      }
    } catch (error) {
      if (closing.signal.aborted) return null;
      log.warn({ endpoint: endpoint.name, err: error instanceof Error ? error.message : '' }, 'no title was given');
      return '';
    }
    const { conversationId: convoId } = exchange.convo;
    const { type: endpointType } = endpoint;
    const { rates } = await factsOf(endpoint, userId, model);
    await money.charge({ userId, convoId, context: 'title', endpointType, model, rates, prompt, text: title, usage });
    return tidyTitle(title);
  }
}

/** Of a stopped or failed exchange there is little to say; a later one gives the title. */
function isAnswered({ reply }: FinalEvent): boolean {
  return reply.finishReason !== 'incomplete' && !isFailure(reply);
}

function ruleOf({ type }: Endpoint): Rule {
  return RULES[type] ?? ORDINARY;
}

async function titleModelOf(endpoint: Endpoint, userId: string, current: string | null): Promise<string> {
  const { titles, models } = endpoint;
  const { model: usual } = ruleOf(endpoint);
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

User: ${textOf(request).slice(0, EXCERPT_MAX)}
Assistant: ${textOf(reply).slice(0, EXCERPT_MAX)}

Title:`;
}

/** The first line of what the model said, without quotes and labels; empty when it is no title. */
export function tidyTitle(text: string): string {
  const line = cleanText(text).trim().split('\n')[0] ?? '';
  const title = line.replace(/^title:\s*/i, '').replace(/^["'“”«»*#\s]+|["'“”«»*.\s]+$/g, '');
  return title.length > TITLE_MAX || title.startsWith('<') ? '' : title;
}

function fallbackOf({ request }: FinalEvent): string {
  const text = textOf(request).trim().replaceAll(/\s+/g, ' ');
  return text.length <= FALLBACK_MAX ? text : `${[...text].slice(0, FALLBACK_MAX).join('')}…`;
}
