// Presents an exchange with an assistant as server-sent events (docs/rest-compat.md, Assistants).
import type { AskInput } from '@parley/schema/chat/ask';
import type { CreatedEvent, FinalEvent } from '@parley/schema/generation/events';
import { fold } from '@parley/schema/generation/fold';
import {
  messageAttachments,
  isFailure,
  messageText,
  type Message,
  type MessagePart,
} from '@parley/schema/messages/messages';
import { NO_PARENT } from '@parley/schema/messages/no-parent';
import type { Api } from '../../router.ts';
import { refusedRequest } from '../errors.ts';
import type { Call } from '../route.ts';
import { frame } from '../sse.ts';
import { presentReplyPart, assistantThreadId } from './assistant-content.ts';
import type { AssistantEnd, AssistantPart, AssistantSync, BrokenEnd } from '../shapes/assistant-exchange.ts';
import { INTERNAL_ERROR_MESSAGE } from '../../platform/reasons.ts';
import { trackedEvent, replyFailureText } from './exchange-frames.ts';
import { presentConvo } from './present-convo.ts';
import { presentMessage } from './present-message.ts';
import { waitingText } from './waiting-text.ts';

/** The ids of both messages, then the parts as they grow, then the end. */
export async function* assistantFrames(
  api: Api,
  { userId, report }: Pick<Call, 'userId' | 'report'>,
  { generationId, settings }: AskInput,
  begun: Pick<CreatedEvent, 'request' | 'reply'>,
): AsyncGenerator<string, void> {
  const { assistant_id: assistantId } = settings;
  yield frame('message', syncOf(userId, begun, typeof assistantId === 'string' ? assistantId : ''));
  let reply = begun.reply;
  const begunTexts = new Set<number>();
  const indexOf = createIndexes(reply.parts);
  try {
    for await (const sent of await api.messages.attach({ generationId })) {
      const event = trackedEvent(sent);
      if (event.type === 'final') return yield* framesOfEnd(api, userId, reply, event, indexOf);
      reply = fold(reply, event);
      if (!('part' in event) || event.type === 'seal') continue;
      for (const data of partFrames(reply, event.part, !begunTexts.has(event.part), indexOf))
        yield frame('message', data);
      begunTexts.add(event.part);
    }
  } catch (error) {
    const refused = refusedRequest(error);
    if (!refused) report(error);
    yield frame('error', replyFailureText(reply, refused?.text ?? INTERNAL_ERROR_MESSAGE));
  }
}

/** One part as it is now; `initial` marks the first event of a text. */
function partFrames(reply: Message, position: number, initial: boolean, indexOf: ShownIndex): AssistantPart[] {
  const part = reply.parts[position];
  if (!part) return [];
  const ids = idsOf(reply);
  if (part.type !== 'text')
    return presentReplyPart(part).map((shown, nth) => ({ index: indexOf(position, nth), ...ids, ...shown }));
  if (part.text === '') return [];
  return [{ text: part.text, message: true, initial, index: indexOf(position, 0), ...ids, type: 'text' }];
}

function idsOf({ conversationId, messageId }: Pick<Message, 'conversationId' | 'messageId'>) {
  return { thread_id: assistantThreadId(conversationId), messageId, conversationId };
}

function syncOf(
  userId: string,
  { request, reply }: Pick<CreatedEvent, 'request' | 'reply'>,
  assistantId: string,
): AssistantSync {
  const { conversationId } = request;
  const common = {
    user: userId,
    conversationId,
    assistant_id: assistantId,
    thread_id: assistantThreadId(conversationId),
    model: assistantId,
  };
  const { files = [] } = presentMessage(userId, request);
  const { messageId, parentMessageId } = request;
  const requestMessage = {
    ...common,
    text: messageText(request),
    messageId,
    parentMessageId: parentMessageId ?? NO_PARENT,
    files,
    file_ids: messageAttachments(request).map(({ fileId }) => fileId),
    isCreatedByUser: true,
  } as const;
  const responseMessage = { ...common, messageId: reply.messageId, parentMessageId: messageId };
  return { sync: true, conversationId, requestMessage, responseMessage };
}

/** Clients keep what they built of an answer that ended well; any other end replaces the list of messages. */
async function* framesOfEnd(
  api: Api,
  userId: string,
  before: Message,
  final: FinalEvent,
  indexOf: ShownIndex,
): AsyncGenerator<string, void> {
  const { reply, request, convo } = final;
  if (reply.reason !== null || reply.finishReason === 'incomplete' || isFailure(reply))
    return yield frame('message', await brokenEnd(api, userId, final));
  for (const [place, part] of reply.parts.entries()) {
    // The text was sent with its marks; now they have become notes.
    if (part.type === 'text' && part.citations)
      for (const shown of presentReplyPart(part))
        yield frame('message', { index: indexOf(place, 0), ...shown, ...idsOf(before) } satisfies AssistantPart);
  }
  const waiting = waitingText(reply.parts);
  if (waiting !== '') {
    const index = indexOf(reply.parts.length, 0);
    const shown = { text: waiting, message: true, initial: true, index, ...idsOf(before), type: 'text' } as const;
    yield frame('message', shown satisfies AssistantPart);
  }
  const { promptPrefix = null, instructions, assistant_id: assistantId } = convo.settings;
  yield frame('message', {
    final: true,
    conversation: {
      conversationId: convo.conversationId,
      endpoint: convo.endpoint,
      promptPrefix,
      ...(typeof instructions === 'string' && { instructions }),
      assistant_id: assistantId,
    },
    requestMessage: {
      parentMessageId: request.parentMessageId ?? NO_PARENT,
      thread_id: assistantThreadId(convo.conversationId),
    },
  } satisfies AssistantEnd);
}

/** The end of a run that failed or was stopped, with all messages of its conversation. */
export async function brokenEnd(api: Api, userId: string, { convo }: Pick<FinalEvent, 'convo'>): Promise<BrokenEnd> {
  const { conversationId } = convo;
  const messages = await api.messages.list({ conversationId });
  return {
    final: true,
    conversation: { ...presentConvo(userId, convo), messages: messages.map(({ messageId }) => messageId) },
    runMessages: messages.map((message) => presentMessage(userId, message)),
  };
}

/** Where a client puts the nth thing that is shown of a part. */
type ShownIndex = (position: number, nth: number) => number;

/**
 * Behind what the answer has already, in the order of their first frames, so that none has to move: an image that a
 * tool made comes when its call has ended, and other calls may stand behind it by then.
 */
export function createIndexes(before: readonly MessagePart[]): ShownIndex {
  const known = new Map<string, number>();
  const indexOf: ShownIndex = (position, nth) => {
    const key = `${position}:${nth}`;
    const index = known.get(key) ?? known.size;
    known.set(key, index);
    return index;
  };
  for (const [place, part] of before.entries()) for (const nth of presentReplyPart(part).keys()) indexOf(place, nth);
  return indexOf;
}
