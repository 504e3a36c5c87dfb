// Presents an exchange as server-sent events (docs/rest-compat.md, Streaming: ask, edit, abort).
import type { AskInput } from '@parley/schema/chat/ask';
import type { CreatedEvent, FinalEvent, GenerationEvent } from '@parley/schema/generation/events';
import { fold } from '@parley/schema/generation/fold';
import { isFailure, messageText, type Message } from '@parley/schema/messages/messages';
import { readableText } from '@parley/schema/messages/readable-text';
import { NO_PARENT } from '@parley/schema/messages/no-parent';
import { isTrackedEnvelope } from '@trpc/server';
import type { Api } from '../../router.ts';
import { presentMessage } from './present-message.ts';
import { hasPluginCalls, pluginText, presentPluginCalls, presentPluginOfEdit } from './present-plugin-calls.ts';
import { refusedRequest } from '../errors.ts';
import { reasonFailureText } from './failure-text.ts';
import type { Created, FailedReply, Final, TextSoFar } from '../shapes/exchange.ts';
import { wholeConvo } from './whole-convo.ts';
import type { Call } from '../route.ts';
import { INTERNAL_ERROR_MESSAGE } from '../../platform/reasons.ts';
import { frame } from '../sse.ts';

/** The server-sent events of an exchange: the question, then the text so far repeatedly, then the final event. */
export async function* exchangeFrames(
  api: Api,
  { userId, report }: Pick<Call, 'userId' | 'report'>,
  { generationId, target }: AskInput,
  begun: Pick<CreatedEvent, 'request' | 'reply'>,
): AsyncGenerator<string, void> {
  const { request } = begun;
  yield frame('message', presentCreated(request));
  const replied = target.kind === 'send' ? {} : { parentMessageId: request.messageId };
  let reply = begun.reply;
  const isEdit = target.kind === 'edit' || target.kind === 'continue';
  let shown: string | null = null;
  try {
    for await (const envelope of await api.messages.attach({ generationId })) {
      const event = trackedEvent(envelope);
      if (event.type === 'final') return yield await endOf(api, userId, event);
      reply = fold(reply, event);
      const told = { ...textFrameOf(reply, isEdit), message: true };
      const now = JSON.stringify(told);
      if (now === shown || told.text === '') continue;
      yield frame('message', { ...told, initial: shown === null, ...replied });
      shown = now;
    }
  } catch (error) {
    yield frame('error', replyFailureText(reply, textOfError(error, report)));
  }
}

/** The reply so far; on the plugins endpoint with its calls. */
function textFrameOf(reply: Message, isEdit: boolean): Pick<TextSoFar, 'text' | 'plugin' | 'plugins'> {
  if (!hasPluginCalls(reply)) return { text: readableText(reply) };
  const text = pluginText(reply);
  return isEdit
    ? { text, plugin: presentPluginOfEdit(reply.parts) }
    : { text, plugins: presentPluginCalls(reply.parts) };
}

/** In-process calls yield events in tRPC's envelope; `data` is the event as on the wire. */
export function trackedEvent(told: { data: GenerationEvent }): GenerationEvent {
  return isTrackedEnvelope<GenerationEvent>(told) ? told[1] : told.data;
}

export async function presentFinal(api: Api, userId: string, { request, reply, convo }: FinalEvent): Promise<Final> {
  return {
    final: true,
    // Clients keep their own title until the conversation has one.
    title: convo.title,
    conversation: { ...(await wholeConvo(api, userId, convo)), title: convo.title },
    requestMessage: presentMessage(userId, request),
    responseMessage: {
      ...presentMessage(userId, reply),
      ...promptTokensOf(reply),
      ...(reply.suggestions && { suggestions: reply.suggestions }),
    },
  };
}

/** What the provider counted; the estimate of what was sent where it counts nothing, such as on bingAI and older Azure. */
function promptTokensOf({ usage, context }: Pick<Message, 'usage' | 'context'>) {
  const promptTokens = usage?.input || context?.tokens;
  return promptTokens !== undefined && { promptTokens };
}

/** The error message of a failure. */
export function replyFailureText(
  reply: Pick<Message, 'messageId' | 'conversationId' | 'parentMessageId' | 'sender'>,
  text: string,
): FailedReply {
  const { sender, messageId, conversationId, parentMessageId } = reply;
  const flags = { unfinished: false, error: true, final: true, isCreatedByUser: false } as const;
  return { sender, messageId, conversationId, parentMessageId: parentMessageId ?? NO_PARENT, text, ...flags };
}

/** The first event, with the final ids. */
export function presentCreated(
  request: Pick<Message, 'messageId' | 'conversationId' | 'parentMessageId' | 'parts'>,
): Created {
  const { messageId, conversationId } = request;
  const parentMessageId = request.parentMessageId ?? NO_PARENT;
  const message = {
    messageId,
    parentMessageId,
    conversationId,
    sender: 'User',
    text: messageText(request),
    isCreatedByUser: true,
  } as const;
  return { message, created: true };
}

/** A failure after some text is an answer that ended early; after next to none it is an error. */
async function endOf(api: Api, userId: string, final: FinalEvent): Promise<string> {
  const { reply } = final;
  if (!reply.reason || !isFailure(reply)) return frame('message', await presentFinal(api, userId, final));
  return frame('error', replyFailureText(reply, reasonFailureText(reply.reason)));
}

function textOfError(error: unknown, report: Call['report']): string {
  const refused = refusedRequest(error);
  if (!refused) report(error);
  return refused?.text ?? INTERNAL_ERROR_MESSAGE;
}
