import { randomUUID } from 'node:crypto';
import type { AskInput, Target } from '@parley/schema/ask';
import { endpointTable } from '@parley/schema/endpoints';
import { Id } from '@parley/schema/ids';
import { NO_PARENT } from '@parley/schema/no-parent';
import * as z from 'zod';
import { refuse } from '../errors.ts';
import type { Api } from '../router.ts';
import { derivedId } from './derived-id.ts';

/** The endpoint types that have a path here. */
export type AskType = 'openAI' | 'custom';

/** What clients send, their whole conversation included; the settings among it are picked by the endpoint table. */
const Wire = z.looseObject({
  text: z.string().nullish(),
  messageId: z.string().nullish(),
  parentMessageId: z.string().nullish(),
  conversationId: z.string().nullish(),
  overrideParentMessageId: z.string().nullish(),
  responseMessageId: z.string().nullish(),
  isContinued: z.boolean().nullish(),
  isEdited: z.boolean().nullish(),
  endpoint: z.string().nullish(),
  endpointType: z.string().nullish(),
  model: z.string().nullish(),
});
type Wire = z.infer<typeof Wire>;

/**
 * The ask that a client's body means. The client's message id makes it idempotent: all ids of ours follow from it, so
 * a body sent twice is one exchange.
 * @throws z.ZodError, Refusal `invalid_input` or `not_found`
 */
export async function readAsk(api: Api, userId: string, type: AskType, body: unknown): Promise<AskInput> {
  const wire = Wire.parse(body);
  if ((wire.endpointType ?? wire.endpoint) !== type)
    refuse({ type: 'invalid_input', text: `The endpoint does not belong to the path of ${type}` });
  const messageId = Id.safeParse(wire.messageId).data ?? randomUUID();
  const isNew = !wire.conversationId || wire.conversationId === 'new';
  const conversationId = isNew ? derivedId(userId, messageId, 'convo') : (wire.conversationId ?? '');
  return {
    generationId: derivedId(userId, messageId, 'generation'),
    conversationId,
    replyId: derivedId(userId, messageId, 'reply'),
    endpoint: wire.endpoint ?? type,
    model: wire.model,
    settings: pickSettings(type, wire),
    target: await targetOf(api, wire, { conversationId, messageId }),
  };
}

function pickSettings(type: AskType, wire: Wire): AskInput['settings'] {
  return Object.fromEntries(Object.keys(endpointTable[type].params).map((name) => [name, wire[name]]));
}

async function targetOf(
  api: Api,
  wire: Wire,
  { conversationId, messageId }: { conversationId: string; messageId: string },
): Promise<Target> {
  const text = wire.text ?? '';
  const replyId = wire.responseMessageId ?? '';
  if (wire.isContinued) return { kind: 'continue', messageId: replyId };
  if (wire.isEdited) return { kind: 'edit', messageId: replyId, text };
  if (wire.overrideParentMessageId) return { kind: 'regenerate', parentMessageId: wire.overrideParentMessageId };
  const parentMessageId = await parentOf(api, conversationId, wire.parentMessageId);
  return { kind: 'send', messageId, parentMessageId, text };
}

/**
 * A client that was not told the id of a reply yet calls it by its question's with `_` behind: that means the newest
 * reply to it, or the question itself while there is none.
 */
async function parentOf(api: Api, conversationId: string, id: string | null | undefined): Promise<string | null> {
  if (!id || id === NO_PARENT) return null;
  if (!id.endsWith('_')) return id;
  const questionId = id.slice(0, -1).toLowerCase();
  const messages = await api.messages.list({ conversationId });
  const replies = messages.filter((message) => message.parentMessageId === questionId && !message.isCreatedByUser);
  return replies.at(-1)?.messageId ?? questionId;
}
