// Creates an ask with its own ids, and the two provisional messages shown until the server's arrive.
import type { AskInput, Decision } from '@parley/schema/chat/ask';
import type { EndpointType } from '@parley/schema/catalog/endpoints';
import { messageAttachments, type Attachment, type Message, type MessagePart } from '@parley/schema/messages/messages';
import { replySender } from '@parley/schema/catalog/sender';
import { newId } from '../../lib/new-id.ts';
import type { NewChatTarget } from '../../catalog/new-chat-choices.ts';
import type { Mention } from '../drafts/mention.ts';
import type { ModelTarget } from '../../catalog/model-target.ts';

/** An ask and its provisional messages. */
export interface PendingAsk {
  ask: AskInput;
  /** The question; the old reply if the question is missing or not loaded. */
  request: Message;
  reply: Message;
  /** The id of the edited message; a refused text returns to its editor. */
  editOf?: string;
  /** The same question to further models, which go out with it. */
  others?: readonly PendingAsk[];
  /** Who answers this question alone; goes back to the draft with a refused text. */
  mention?: Mention;
}

/** Provisional messages sort after all messages numbered by the server. */
const REQUEST_SEQ = Number.MAX_SAFE_INTEGER - 1;
const REPLY_SEQ = Number.MAX_SAFE_INTEGER;

/** Whether the server has not numbered the message: it is not accepted yet, or refused. */
export function isProvisional({ seq }: Pick<Message, 'seq'>): boolean {
  return seq >= REQUEST_SEQ;
}

/** The ids of an exchange that were made before it is sent. */
export interface ExchangeIds {
  messageId: string;
  generationId: string;
  replyId: string;
}

/**
 * A new question under `parentMessageId` (null opens the conversation); its text may be empty where files are attached.
 * It has all ids already where it has waited, and the message's alone where several models answer it.
 */
export function prepareSend(
  conversationId: string,
  parentMessageId: string | null,
  text: string,
  to: ModelTarget,
  attachments: readonly Attachment[] = [],
  { messageId = newId(), ...waited }: Partial<ExchangeIds> = {},
): PendingAsk {
  const files = attachments.map(({ fileId }) => fileId);
  const target = {
    kind: 'send',
    messageId,
    parentMessageId,
    text,
    ...(files.length > 0 && { files }),
    ...(waited.generationId !== undefined && { hasWaited: true }),
  } as const;
  const ask = { ...createAsk(conversationId, target, to), ...waited };
  const request = createRequest(ask, target, to, attachments);
  return { ask, request, reply: createReply(ask, request.messageId, to) };
}

/** The same question, which opens its conversation in a place. */
export function opening({ ask, ...rest }: PendingAsk, { isTemporary, folderId }: NewChatTarget): PendingAsk {
  return { ...rest, ask: { ...ask, ...(isTemporary && { isTemporary }), ...(folderId && { folderId }) } };
}

/** The same question to somebody else: its chat goes on, or begins, with `own`. */
export function mentioning(
  { ask, ...rest }: PendingAsk,
  mention: Mention,
  { endpoint, model, settings }: ModelTarget,
): PendingAsk {
  return { ...rest, ask: { ...ask, keeps: { endpoint, model, settings } }, mention };
}

/** The same ask, for a report or for what follows from its plan. */
export function researching(
  { ask, ...rest }: PendingAsk,
  research: NonNullable<AskInput['research']> = {},
): PendingAsk {
  return { ...rest, ask: { ...ask, research } };
}

/** Another reply to an existing question. */
export function prepareRegenerate(questionId: string, request: Message, to: ModelTarget): PendingAsk {
  const ask = createAsk(request.conversationId, { kind: 'regenerate', parentMessageId: questionId }, to);
  return { ask, request, reply: createReply(ask, questionId, to) };
}

/** Continues `reply`, which stays the same message. */
export function prepareContinue(request: Message, reply: Message, to: ModelTarget): PendingAsk {
  return goOn(request, reply, { kind: 'continue', messageId: reply.messageId }, to);
}

/** Goes on with `reply`, whose tool calls waited for these decisions. */
export function prepareResume(
  request: Message,
  reply: Message,
  decisions: Readonly<Record<string, Decision>>,
  to: ModelTarget,
): PendingAsk {
  return goOn(request, reply, { kind: 'resume', messageId: reply.messageId, decisions: { ...decisions } }, to);
}

function goOn(request: Message, reply: Message, target: AskInput['target'], to: ModelTarget): PendingAsk {
  const ask = { ...createAsk(reply.conversationId, target, to), replyId: reply.messageId };
  return { ask, request, reply: reopen(reply, ask.generationId) };
}

/** A sibling of `reply` that starts with `text` and continues it. */
export function prepareEdit(request: Message, reply: Message, text: string, to: ModelTarget): PendingAsk {
  const { conversationId, messageId, parentMessageId } = reply;
  const ask = createAsk(conversationId, { kind: 'edit', messageId, text }, to);
  const begun = { ...createReply(ask, parentMessageId, to), parts: [{ type: 'text', text } as const] };
  return { ask, request, reply: begun, editOf: messageId };
}

/** The same ask with new ids, to retry a refused one. */
export function prepareAgain(refused: PendingAsk, to: ModelTarget): PendingAsk {
  const again = askedAgain(refused, to);
  const { research } = refused.ask;
  return research ? researching(again, research) : again;
}

function askedAgain({ ask, request, reply, editOf }: PendingAsk, to: ModelTarget): PendingAsk {
  const { target } = ask;
  switch (target.kind) {
    case 'send': {
      const sent = prepareSend(
        ask.conversationId,
        target.parentMessageId,
        target.text,
        to,
        messageAttachments(request),
      );
      const again = opening(sent, {
        isTemporary: ask.isTemporary ?? false,
        ...(ask.folderId && { folderId: ask.folderId }),
      });
      return editOf === undefined ? again : { ...again, editOf };
    }
    case 'regenerate':
      return prepareRegenerate(target.parentMessageId, request, to);
    case 'continue':
      return prepareContinue(request, reply, to);
    case 'resume':
      return prepareResume(request, reply, target.decisions, to);
    case 'edit': {
      const edited = { ...reply, messageId: target.messageId };
      return prepareEdit(request, edited, target.text, to);
    }
    default:
      return target satisfies never;
  }
}

/** Rebuilds the messages of a send that an earlier visit left in the outbox. */
export function restoreSend(
  ask: AskInput,
  target: Extract<AskInput['target'], { kind: 'send' }>,
  endpointType: EndpointType,
): PendingAsk {
  const to = { endpoint: ask.endpoint, endpointType, model: ask.model ?? null, settings: {} };
  const request = createRequest(ask, target, to);
  return { ask, request, reply: createReply(ask, request.messageId, to) };
}

/** What a part of the message box that loads later adds to the questions of a conversation to this model. */
export const askExtras: {
  of?: (conversationId: string, to: ModelTarget, kind: 'send' | 'regenerate') => Partial<AskInput>;
  /** Its model is for this conversation, not for new ones. */
  isOnlyHere?: (conversationId: string) => boolean;
} = {};

function createAsk(conversationId: string, target: AskInput['target'], to: ModelTarget): AskInput {
  return {
    generationId: newId(),
    conversationId,
    replyId: newId(),
    endpoint: to.endpoint,
    model: to.model,
    settings: to.settings,
    ...((target.kind === 'send' || target.kind === 'regenerate') && askExtras.of?.(conversationId, to, target.kind)),
    target,
  };
}

function createRequest(
  ask: AskInput,
  target: Extract<AskInput['target'], { kind: 'send' }>,
  to: ModelTarget,
  attachments: readonly Attachment[] = [],
): Message {
  return {
    ...blank(ask, to),
    messageId: target.messageId,
    parentMessageId: target.parentMessageId,
    seq: REQUEST_SEQ,
    isCreatedByUser: true,
    sender: 'User',
    parts: target.text ? [...attachments, { type: 'text', text: target.text }] : [...attachments],
  };
}

function createReply(ask: AskInput, parentMessageId: string | null, to: ModelTarget): Message {
  return {
    ...blank(ask, to),
    messageId: ask.replyId,
    parentMessageId,
    seq: REPLY_SEQ,
    isCreatedByUser: false,
    sender: replySender(to),
    unfinished: true,
    generationId: ask.generationId,
  };
}

/** A finished reply, reset to in progress. */
function reopen(reply: Message, generationId: string): Message {
  return { ...reply, generationId, unfinished: true, finishReason: null, reason: null };
}

function blank(ask: AskInput, to: ModelTarget) {
  const parts: MessagePart[] = [];
  const now = new Date().toISOString();
  return {
    conversationId: ask.conversationId,
    endpoint: to.endpoint,
    endpointType: to.endpointType,
    model: to.model,
    parts,
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
