// A title after the first exchange, by the endpoint's rules and never at the price of the answer.
import type { Db } from '@parley/db/client';
import type { FinalEvent } from '@parley/schema/events';
import { isFailure, textOf } from '@parley/schema/messages';
import { cleanText } from '@parley/schema/clean-text';
import { TITLE_MAX } from '@parley/schema/convos';
import type { Logger } from 'pino';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Upstream } from '../endpoints/provider.ts';
import { renameConvo } from './convos.ts';

/** As much of the question and of the answer as the model is shown for a title, in characters (C.4 of the REST facts). */
const EXCERPT_MAX = 255;
const TIMEOUT_MS = 45_000;
/** A title made without a model: the beginning of the question. */
const FALLBACK_MAX = 40;
const DEFAULT_MODEL = 'gpt-3.5-turbo';

export type GiveTitle = (userId: string, exchange: FinalEvent, endpoint: Endpoint, upstream: Upstream) => Promise<void>;

/** Titles never fail: without a model's the conversation is called by how it began. */
export function createTitles(db: Db, log: Logger): GiveTitle {
  return async (userId, exchange, endpoint, upstream) => {
    if (!endpoint.titles.enabled) return;
    const { conversationId } = exchange.convo;
    try {
      if (!isAnswered(exchange)) {
        await renameConvo(db, userId, conversationId, fallbackOf(exchange), null);
        return;
      }
      const title = (await askForTitle(userId, exchange, endpoint, upstream)) || fallbackOf(exchange);
      await renameConvo(db, userId, conversationId, title, 'model');
    } catch (error) {
      log.error({ err: error instanceof Error ? error.name : 'not an error' }, 'a title could not be saved');
    }
  };

  async function askForTitle(...[userId, exchange, endpoint, upstream]: Parameters<GiveTitle>): Promise<string> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const call = {
      upstream,
      model: await titleModelOf(endpoint, exchange.convo.model),
      settings: { temperature: 0.2 },
      messages: [{ role: 'user' as const, content: promptOf(exchange) }],
      userId,
      maxTokens: 16,
    };
    let title = '';
    try {
      for await (const delta of endpoint.provider(call, signal)) if (delta.type === 'text') title += delta.text;
    } catch (error) {
      log.warn({ endpoint: endpoint.name, err: error instanceof Error ? error.message : '' }, 'no title was given');
      return '';
    }
    return tidyTitle(title);
  }
}

/** Of a stopped or failed exchange there is little to say; a later one gives the title. */
function isAnswered({ reply }: FinalEvent): boolean {
  return reply.finishReason !== 'incomplete' && !isFailure(reply);
}

async function titleModelOf({ titles, models }: Endpoint, current: string | null): Promise<string> {
  const own = current ?? DEFAULT_MODEL;
  switch (titles.model.use) {
    case 'named':
      return titles.model.name;
    case 'current':
      return own;
    case 'default':
      return (await models()).includes(DEFAULT_MODEL) ? DEFAULT_MODEL : own;
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
