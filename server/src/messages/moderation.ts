// Each question may have to pass OpenAI's moderation before a model hears of it.
import type { Db, Query } from '@parley/db/client';
import type { AskInput } from '@parley/schema/ask';
import { endpointTable, type EndpointType } from '@parley/schema/endpoints';
import { textOf } from '@parley/schema/messages';
import * as z from 'zod';
import type { Config } from '../config.ts';
import { refuse } from '../errors.ts';
import { hasBegun } from './begun.ts';
import { assertMessage } from './thread.ts';

/**
 * Refuses with `moderation` what is flagged, and with `unavailable` what could not be checked. What began before has
 * passed.
 */
export type Moderation = (userId: string, type: EndpointType, input: AskInput) => Promise<void>;

/** The endpoints whose provider asks for it (B.2 of the REST facts). */
const MODERATED: ReadonlySet<EndpointType> = new Set(['openAI', 'azureOpenAI', 'gptPlugins']);
const TIMEOUT_MS = 10_000;

const Answer = z.object({ results: z.array(z.object({ flagged: z.boolean() })) });

export function createModeration(db: Db, config: Config['moderation']): Moderation {
  if (!config.enabled) return async () => undefined;
  const { url, apiKey } = config;
  return async (userId, type, input) => {
    if (!MODERATED.has(type) || (await hasBegun(db.query, userId, input.generationId))) return;
    const words = [...(await wordsOf(db.query, userId, input)), ...wordsBeside(type, input)];
    if (words.length === 0) return;
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
    return Answer.parse(await response.json()).results.some(({ flagged }) => flagged);
  }
}

/**
 * What is asked, with the question that it is about: that one may be kept from when it was flagged, be written anew
 * since, or have been asked where nothing is moderated. Of an answer that goes on, what a person made of it.
 */
async function wordsOf(query: Query, userId: string, { conversationId, target }: AskInput): Promise<string[]> {
  if (target.kind === 'send') return [target.text];
  const find = (id: string) => assertMessage(query, { userId, convoId: conversationId }, id);
  if (target.kind === 'regenerate') return [textOf(await find(target.parentMessageId))].filter(saysSomething);
  const answer = await find(target.messageId);
  const question = answer.parentId === null ? '' : textOf(await find(answer.parentId));
  const isOfPerson = answer.isEdited || answer.generationId === null;
  const begun = target.kind === 'edit' ? target.text : isOfPerson ? textOf(answer) : '';
  return [question, begun].filter(saysSomething);
}

/** What the model is told with any question: instructions and a name, which may be new or another since they passed. */
function wordsBeside(type: EndpointType, { settings }: AskInput): string[] {
  return Object.entries(endpointTable[type].params).flatMap(([name, { kind }]) => {
    const words = settings[name];
    return kind === 'text' && typeof words === 'string' && saysSomething(words) ? [words] : [];
  });
}

function saysSomething(words: string): boolean {
  return words.trim() !== '';
}
