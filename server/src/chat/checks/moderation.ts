// Passes questions through OpenAI's moderation before a model sees them, where it is on.
import type { Db, Query } from '@parley/db/client';
import type { AskInput } from '@parley/schema/chat/ask';
import { endpointTable, type EndpointRow } from '@parley/schema/catalog/endpoints';
import { chatSwitches } from '@parley/schema/settings/fit-settings';
import { messageText } from '@parley/schema/messages/messages';
import * as z from 'zod';
import type { Responder } from '../../assistants/find-responder.ts';
import type { Config } from '../../config/config.ts';
import { refuse } from '../../platform/errors.ts';
import { isKnownAsk } from '../../abuse/is-known-ask.ts';
import { assertMessage } from '../../messages/thread.ts';
import type { Endpoint } from '../../catalog/endpoint.ts';
import { foreseeInstructions } from '../context/ask-instructions.ts';
import { spokenType } from '../context/context-limits.ts';

/**
 * Refuses flagged text with `moderation`, and text that could not be checked with `unavailable`. An ask that had
 * already begun has passed.
 */
export type Moderation = (userId: string, responder: Responder, input: AskInput) => Promise<void>;

/** Does the same for texts that are not stored. */
export type ModerateWords = (endpoint: Endpoint, words: readonly string[]) => Promise<void>;

const TIMEOUT_MS = 10_000;

const ModerationResponse = z.object({ results: z.array(z.object({ flagged: z.boolean() })) });

export function createModeration(db: Db, moderate: ModerateWords | null): Moderation {
  if (!moderate) return async () => undefined;
  return async (userId, responder, input) => {
    if (!isModerated(responder.endpoint) || (await isKnownAsk(db.query, userId, input.generationId))) return;
    const asked = { userId, ...responder, settings: chatSwitches(input.settings) };
    const { texts } = await foreseeInstructions(db, asked, input);
    const words = await wordsOf(db.query, userId, input);
    await moderate(responder.endpoint, [...words, ...texts, ...wordsBeside(responder, input)]);
  };
}

function isModerated(endpoint: Endpoint): boolean {
  const row: EndpointRow = endpointTable[spokenType(endpoint)];
  return row.isModerated ?? false;
}

/** Null where it is off. */
export function createWordModeration(config: Config['moderation']): ModerateWords | null {
  if (!config.enabled) return null;
  const { url, apiKey } = config;
  return async (endpoint, words) => {
    if (!isModerated(endpoint) || words.length === 0) return;
    const isFlagged = await ask(words.join('\n\n')).catch(() => refuse({ type: 'unavailable' }));
    if (isFlagged) refuse({ type: 'moderation' });
  };

  async function ask(input: string): Promise<boolean> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ input }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return ModerationResponse.parse(await response.json()).results.some(({ flagged }) => flagged);
  }
}

/**
 * The text to check: the ask and the question it refers to, which may be stored although it was flagged, may have been
 * rewritten since, or may come from an endpoint without moderation. For a continued answer, the text a person edited
 * into it.
 */
async function wordsOf(query: Query, userId: string, { conversationId, target }: AskInput): Promise<string[]> {
  if (target.kind === 'send') return [target.text];
  const find = (id: string) => assertMessage(query, { userId, convoId: conversationId }, id);
  if (target.kind === 'regenerate') return [messageText(await find(target.parentMessageId))].filter(isNotBlank);
  const reply = await find(target.messageId);
  const question = reply.parentId === null ? '' : messageText(await find(reply.parentId));
  const isOfPerson = reply.isEdited || reply.generationId === null;
  const begun = target.kind === 'edit' ? target.text : isOfPerson ? messageText(reply) : '';
  return [question, begun].filter(isNotBlank);
}

/**
 * The text sent with every question: instructions and a name, which may have changed since they passed. Those of
 * another's assistant are not the asker's own.
 */
function wordsBeside({ endpoint, assistant }: Responder, { settings }: AskInput): string[] {
  const own = Object.entries(endpointTable[endpoint.type].params).flatMap(([name, { kind }]) => {
    const words = settings[name];
    return kind === 'text' && name !== 'assistant_id' && typeof words === 'string' ? [words] : [];
  });
  return [...own, assistant?.ownInstructions ?? ''].filter(isNotBlank);
}

function isNotBlank(words: string): boolean {
  return words.trim() !== '';
}
