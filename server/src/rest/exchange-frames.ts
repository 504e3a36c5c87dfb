import type { AskInput } from '@parley/schema/ask';
import type { CreatedEvent, FinalEvent, GenerationEvent } from '@parley/schema/events';
import { fold } from '@parley/schema/fold';
import { isFailure, textOf, type Message } from '@parley/schema/messages';
import { NO_PARENT } from '@parley/schema/no-parent';
import { isTrackedEnvelope } from '@trpc/server';
import type { Api } from '../router.ts';
import { presentConvo } from './present-convo.ts';
import { presentMessage } from './present-message.ts';
import { refusedWith } from './refused.ts';
import { failureTextOf } from './failure-text.ts';
import type { Call } from './row.ts';
import { FAILED } from './sentences.ts';
import { frame } from './sse.ts';

/** An exchange as frames: the question, the text so far again and again, and how it ended. */
export async function* framesOf(
  api: Api,
  { userId, report }: Pick<Call, 'userId' | 'report'>,
  { generationId, target }: AskInput,
  begun: Pick<CreatedEvent, 'request' | 'reply'>,
): AsyncGenerator<string, void> {
  const { request } = begun;
  yield frame('message', createdOf(request));
  const replied = target.kind === 'send' ? {} : { parentMessageId: request.messageId };
  let reply = begun.reply;
  let shown = '';
  try {
    for await (const told of await api.messages.attach({ generationId })) {
      const event = eventOf(told);
      if (event.type === 'final') return yield endOf(userId, event);
      reply = fold(reply, event);
      const text = textOf(reply);
      if (text === shown) continue;
      yield frame('message', { text, message: true, initial: shown === '', ...replied });
      shown = text;
    }
  } catch (error) {
    yield frame('error', failureOf(reply, textOfError(error, report)));
  }
}

/** In process an event comes in its envelope, as it was yielded; its type is that of the wire. */
export function eventOf(told: { data: GenerationEvent }): GenerationEvent {
  return isTrackedEnvelope<GenerationEvent>(told) ? told[1] : told.data;
}

/** The last event of an exchange. */
export function finalOf(userId: string, { request, reply, convo }: FinalEvent) {
  return {
    final: true,
    // Clients keep their own title until there is one.
    title: convo.title,
    conversation: { ...presentConvo(userId, convo), title: convo.title },
    requestMessage: presentMessage(userId, request),
    responseMessage: {
      ...presentMessage(userId, reply),
      ...(reply.usage && { promptTokens: reply.usage.input }),
      ...(reply.suggestions && { suggestions: reply.suggestions }),
    },
  };
}

/** The message that a failure is shown as. */
export function failureOf(
  reply: Pick<Message, 'messageId' | 'conversationId' | 'parentMessageId' | 'sender'>,
  text: string,
) {
  const { sender, messageId, conversationId, parentMessageId } = reply;
  const flags = { unfinished: false, error: true, final: true, isCreatedByUser: false };
  return { sender, messageId, conversationId, parentMessageId: parentMessageId ?? NO_PARENT, text, ...flags };
}

/** The first event: the ids that hold. */
export function createdOf(request: Pick<Message, 'messageId' | 'conversationId' | 'parentMessageId' | 'parts'>) {
  const { messageId, conversationId } = request;
  const parentMessageId = request.parentMessageId ?? NO_PARENT;
  const message = {
    messageId,
    parentMessageId,
    conversationId,
    sender: 'User',
    text: textOf(request),
    isCreatedByUser: true,
  };
  return { message, created: true };
}

/** What had been said before a failure is kept as an answer that ended early; next to nothing is an error. */
function endOf(userId: string, final: FinalEvent): string {
  const { reply } = final;
  if (!reply.reason || !isFailure(reply)) return frame('message', finalOf(userId, final));
  return frame('error', failureOf(reply, failureTextOf(reply.reason)));
}

function textOfError(error: unknown, report: Call['report']): string {
  const refused = refusedWith(error);
  if (!refused) report(error);
  return refused?.text ?? FAILED;
}
