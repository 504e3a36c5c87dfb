// What a key press becomes: an ask with ids of its own, and the two messages that show it until the server's come.
import type { AskInput } from '@parley/schema/ask';
import type { EndpointType } from '@parley/schema/endpoints';
import type { Message, MessagePart } from '@parley/schema/messages';
import { senderOf } from '@parley/schema/sender';
import type { Addressee } from '../endpoints/use-addressee.ts';
import { newId } from './new-id.ts';

/** An ask with the messages it makes. */
export interface Asking {
  ask: AskInput;
  request: Message;
  reply: Message;
}

/** Provisional messages stand after everything the server has numbered. */
const REQUEST_SEQ = Number.MAX_SAFE_INTEGER - 1;
const REPLY_SEQ = Number.MAX_SAFE_INTEGER;

/** A new question under `parentMessageId` (null opens the conversation). */
export function prepareSend(
  conversationId: string,
  parentMessageId: string | null,
  text: string,
  to: Addressee,
): Asking {
  const target = { kind: 'send', messageId: newId(), parentMessageId, text } as const;
  const ask = createAsk(conversationId, target, to);
  const request = createRequest(ask, target, to);
  return { ask, request, reply: createReply(ask, request.messageId, to) };
}

/** Another answer to a question that is there already. */
export function prepareRegenerate(request: Message, to: Addressee): Asking {
  const ask = createAsk(request.conversationId, { kind: 'regenerate', parentMessageId: request.messageId }, to);
  return { ask, request, reply: createReply(ask, request.messageId, to) };
}

/** The same ask under new ids, for one that the server refused. */
export function prepareAgain({ ask, request }: Pick<Asking, 'ask' | 'request'>, to: Addressee): Asking {
  const { target } = ask;
  return target.kind === 'send'
    ? prepareSend(ask.conversationId, target.parentMessageId, target.text, to)
    : prepareRegenerate(request, to);
}

/** The messages of an ask that an earlier visit left in the outbox; `stored` is what is known of its conversation. */
export function restoreAsking(ask: AskInput, endpointType: EndpointType, stored: readonly Message[]): Asking {
  const to = { endpoint: ask.endpoint, endpointType, model: ask.model ?? null, settings: {} };
  const { target } = ask;
  if (target.kind === 'send') {
    const request = createRequest(ask, target, to);
    return { ask, request, reply: createReply(ask, request.messageId, to) };
  }
  const parentId = target.kind === 'regenerate' ? target.parentMessageId : target.messageId;
  const request = stored.find((message) => message.messageId === parentId) ?? createMissing(ask, parentId, to);
  return { ask, request, reply: createReply(ask, parentId, to) };
}

function createAsk(conversationId: string, target: AskInput['target'], to: Addressee): AskInput {
  return {
    generationId: newId(),
    conversationId,
    replyId: newId(),
    endpoint: to.endpoint,
    model: to.model,
    settings: to.settings,
    target,
  };
}

function createRequest(ask: AskInput, target: Extract<AskInput['target'], { kind: 'send' }>, to: Addressee): Message {
  return {
    ...blank(ask, to),
    messageId: target.messageId,
    parentMessageId: target.parentMessageId,
    seq: REQUEST_SEQ,
    isCreatedByUser: true,
    sender: 'User',
    parts: [{ type: 'text', text: target.text }],
  };
}

/** Stands for a question that only the server knows; it is replaced as soon as the server has spoken. */
function createMissing(ask: AskInput, messageId: string, to: Addressee): Message {
  return {
    ...blank(ask, to),
    messageId,
    parentMessageId: null,
    seq: REQUEST_SEQ,
    isCreatedByUser: true,
    sender: 'User',
  };
}

function createReply(ask: AskInput, parentMessageId: string, to: Addressee): Message {
  return {
    ...blank(ask, to),
    messageId: ask.replyId,
    parentMessageId,
    seq: REPLY_SEQ,
    isCreatedByUser: false,
    sender: senderOf(to),
    unfinished: true,
    generationId: ask.generationId,
  };
}

function blank(ask: AskInput, to: Addressee) {
  const now = new Date().toISOString();
  return {
    conversationId: ask.conversationId,
    endpoint: to.endpoint,
    endpointType: to.endpointType,
    model: to.model,
    parts: [] as MessagePart[],
    finishReason: null,
    reason: null,
    unfinished: false,
    isEdited: false,
    usage: null,
    context: null,
    generationId: null,
    createdAt: now,
    updatedAt: now,
  };
}
