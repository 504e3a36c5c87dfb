// What a key press becomes: an ask with ids of its own, and the two messages that show it until the server's come.
import type { AskInput } from '@parley/schema/ask';
import type { EndpointType } from '@parley/schema/endpoints';
import type { Message, MessagePart } from '@parley/schema/messages';
import { senderOf } from '@parley/schema/sender';
import type { Addressee } from '../../endpoints/use-addressee.ts';
import { newId } from './new-id.ts';

/** An ask with the messages it makes. */
export interface Asking {
  ask: AskInput;
  /** The question; the old answer where there is no question, or none that is loaded. */
  request: Message;
  reply: Message;
  /** The message whose edited text was sent: that is where it goes back to when it is refused. */
  editOf?: string;
}

/** Provisional messages stand after everything the server has numbered. */
const REQUEST_SEQ = Number.MAX_SAFE_INTEGER - 1;
const REPLY_SEQ = Number.MAX_SAFE_INTEGER;

/** Whether the server has not numbered the message yet, or never took it. */
export function isProvisional({ seq }: Pick<Message, 'seq'>): boolean {
  return seq >= REQUEST_SEQ;
}

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
export function prepareRegenerate(questionId: string, request: Message, to: Addressee): Asking {
  const ask = createAsk(request.conversationId, { kind: 'regenerate', parentMessageId: questionId }, to);
  return { ask, request, reply: createReply(ask, questionId, to) };
}

/** More of `reply`, which stays the same message. */
export function prepareContinue(request: Message, reply: Message, to: Addressee): Asking {
  const { conversationId, messageId } = reply;
  const ask = { ...createAsk(conversationId, { kind: 'continue', messageId }, to), replyId: messageId };
  return { ask, request, reply: reopen(reply, ask.generationId) };
}

/** Another answer beside `reply`, which begins with `text` and goes on from there. */
export function prepareEdit(request: Message, reply: Message, text: string, to: Addressee): Asking {
  const { conversationId, messageId, parentMessageId } = reply;
  const ask = createAsk(conversationId, { kind: 'edit', messageId, text }, to);
  const begun = { ...createReply(ask, parentMessageId, to), parts: [{ type: 'text', text } as const] };
  return { ask, request, reply: begun, editOf: messageId };
}

/** The same ask under new ids, for one that the server refused. */
export function prepareAgain({ ask, request, reply, editOf }: Asking, to: Addressee): Asking {
  const { target } = ask;
  switch (target.kind) {
    case 'send': {
      const again = prepareSend(ask.conversationId, target.parentMessageId, target.text, to);
      return editOf === undefined ? again : { ...again, editOf };
    }
    case 'regenerate':
      return prepareRegenerate(target.parentMessageId, request, to);
    case 'continue':
      return prepareContinue(request, reply, to);
    case 'edit': {
      const edited = { ...reply, messageId: target.messageId };
      return prepareEdit(request, edited, target.text, to);
    }
    default:
      return target satisfies never;
  }
}

/** The messages of a send that an earlier visit left in the outbox. */
export function restoreSend(
  ask: AskInput,
  target: Extract<AskInput['target'], { kind: 'send' }>,
  endpointType: EndpointType,
): Asking {
  const to = { endpoint: ask.endpoint, endpointType, model: ask.model ?? null, settings: {} };
  const request = createRequest(ask, target, to);
  return { ask, request, reply: createReply(ask, request.messageId, to) };
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

function createReply(ask: AskInput, parentMessageId: string | null, to: Addressee): Message {
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

/** A finished answer as it is while more of it is written. */
function reopen(reply: Message, generationId: string): Message {
  return { ...reply, generationId, unfinished: true, finishReason: null, reason: null };
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
