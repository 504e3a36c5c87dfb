import { randomUUID } from 'node:crypto';
import type { AskInput, Target } from '@parley/schema/ask';
import { endpointTable } from '@parley/schema/endpoints';
import { Id } from '@parley/schema/ids';
import type { Message } from '@parley/schema/messages';
import { NO_PARENT } from '@parley/schema/no-parent';
import * as z from 'zod';
import { refuse } from '../errors.ts';
import type { Api } from '../router.ts';
import { derivedId } from '../derived-id.ts';
import { continuation } from './continuation.ts';
import { begunBy, isBelowNothing, isNew, withQuestion } from './unkept-question.ts';

/** The endpoint types that have a path here. */
export type AskType = 'openAI' | 'azureOpenAI' | 'google' | 'anthropic' | 'bingAI' | 'chatGPTBrowser' | 'custom';

export interface AskPath {
  type: AskType;
  /** Whether an answer is to go on; older clients say so in the body instead. */
  isEdit: boolean;
}

export interface Read {
  input: AskInput;
  /** As the client knows it: of an answer that goes on, it sends the question along. */
  question: Pick<Message, 'messageId' | 'conversationId' | 'parentMessageId' | 'parts'>;
}

/** A form has words only. */
const Flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((word) => word === 'true')]);

/** What clients send, their whole conversation included; the settings among it are picked by the endpoint table. */
const Wire = z.looseObject({
  text: z.string().nullish(),
  messageId: z.string().nullish(),
  parentMessageId: z.string().nullish(),
  conversationId: z.string().nullish(),
  overrideParentMessageId: z.string().nullish(),
  responseMessageId: z.string().nullish(),
  /** The text that an answer is to go on from. */
  generation: z.string().nullish(),
  isContinued: Flag.nullish(),
  isEdited: Flag.nullish(),
  endpoint: z.string().nullish(),
  endpointType: z.string().nullish(),
  model: z.string().nullish(),
});
type Wire = z.infer<typeof Wire>;

/**
 * The ask that a client's body means. The client's message id makes it idempotent: all ids of ours follow from it, so
 * a body sent twice is one exchange. Only a continuation has no id of its own: see `continuation`.
 * @throws z.ZodError, Refusal `invalid_input` or `not_found`
 */
export async function readAsk(api: Api, userId: string, path: AskPath, body: unknown): Promise<Read> {
  const given = Wire.parse(body);
  const isEdit = path.isEdit || given.isEdited === true || given.isContinued === true;
  const wire = isEdit ? given : await withQuestion(api, userId, given);
  const { type } = path;
  if (!isLenient(type) && (wire.endpointType ?? wire.endpoint) !== type)
    refuse({ type: 'invalid_input', text: `The endpoint does not belong to the path of ${type}` });
  const messageId = ownIdOf(wire) ?? randomUUID();
  const conversationId = isNew(wire) ? begunBy(userId, messageId) : (wire.conversationId ?? '');
  const target = isEdit ? goingOn(wire) : await asking(api, wire, { conversationId, messageId });
  const asked = {
    conversationId,
    endpoint: isLenient(type) ? type : (wire.endpoint ?? type),
    model: isLenient(type) ? await offered(api, type, wire.model) : wire.model,
    settings: pickSettings(type, wire),
    target,
  };
  const ids =
    target.kind === 'continue'
      ? await continuation(api, { ...asked, target }, wire.generation ?? '')
      : { generationId: derivedId(userId, messageId, 'generation'), replyId: derivedId(userId, messageId, 'reply') };
  const input = { ...asked, ...ids };
  return { input, question: questionOf(wire, input) };
}

/** The id of the ask itself: who asks for another answer, or for more, may send that of a message that is there. */
function ownIdOf({ messageId, overrideParentMessageId, responseMessageId, isContinued }: Wire): string | null {
  const isTaken = messageId === overrideParentMessageId || messageId === responseMessageId;
  return isContinued || isTaken ? null : (Id.safeParse(messageId).data ?? null);
}

/** Of these two, clients of old name the endpoint and the model as they like (B.2 of the REST facts). */
function isLenient(type: AskType): boolean {
  return type === 'bingAI' || type === 'chatGPTBrowser';
}

/** The model that a client names if there is such a one; the endpoint's own otherwise. */
async function offered(api: Api, type: AskType, model: string | null | undefined): Promise<string | null> {
  return (await api.endpoints.models())[type]?.find((one) => one === model) ?? null;
}

/** What is asked of an answer that is there: the text it is to go on from comes as `generation`. */
function goingOn({ isContinued, responseMessageId, generation }: Wire): Target {
  const messageId = responseMessageId ?? '';
  return isContinued ? { kind: 'continue', messageId } : { kind: 'edit', messageId, text: generation ?? '' };
}

function questionOf(wire: Wire, { conversationId, target }: AskInput): Read['question'] {
  const parts = [{ type: 'text' as const, text: wire.text ?? '' }];
  if (target.kind === 'send') return { conversationId, ...target, parts };
  return {
    conversationId,
    messageId: wire.overrideParentMessageId ?? NO_PARENT,
    parentMessageId: wire.parentMessageId ?? null,
    parts,
  };
}

function pickSettings(type: AskType, wire: Wire): AskInput['settings'] {
  return Object.fromEntries(Object.keys(endpointTable[type].params).map((name) => [name, wire[name]]));
}

async function asking(
  api: Api,
  wire: Wire,
  { conversationId, messageId }: { conversationId: string; messageId: string },
): Promise<Target> {
  if (wire.overrideParentMessageId) return { kind: 'regenerate', parentMessageId: wire.overrideParentMessageId };
  const parentMessageId = await parentOf(api, conversationId, wire);
  return { kind: 'send', messageId, parentMessageId, text: wire.text ?? '' };
}

/**
 * A client that was not told the id of a reply yet calls it by its question's with `_` behind: that means the newest
 * reply to it, or the question itself while there is none.
 */
async function parentOf(api: Api, conversationId: string, wire: Wire): Promise<string | null> {
  const id = wire.parentMessageId;
  if (!id || id === NO_PARENT || (await isBelowNothing(api, wire))) return null;
  if (!id.endsWith('_')) return id;
  const questionId = id.slice(0, -1).toLowerCase();
  const messages = await api.messages.list({ conversationId });
  const replies = messages.filter((message) => message.parentMessageId === questionId && !message.isCreatedByUser);
  return replies.at(-1)?.messageId ?? questionId;
}
