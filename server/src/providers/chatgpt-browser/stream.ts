// ChatGPT as its web page calls it, which keeps conversations itself; an access token replaces the key
// (docs/rest-compat.md, Provider requests).
import { Refusal, refuse } from '../../platform/errors.ts';
import type { Delta } from '../../generation/delta.ts';
import { reasonOfFailure } from '../failure.ts';
import { readEventData, post } from '../sse-client.ts';
import type { ProviderCall, ChatMessage } from '../provider.ts';
import { randomUUID } from 'node:crypto';
import { withContinuePrompt } from '../continue-prompt.ts';
import { headedTranscript } from '../transcript.ts';
import type { FinishReason } from '@parley/schema/messages/messages';
import { createCumulativeReader } from '../cumulative-text.ts';

export async function* streamChatGPTBrowser(call: ProviderCall, signal: AbortSignal): AsyncGenerator<Delta> {
  try {
    const response = await ask(call, chatGptThread(call), signal);
    const reader = createConversationReader();
    for await (const data of readEventData(response, call.onBytes)) {
      if (data === '[DONE]') return yield* reader.done();
      yield* reader.read(JSON.parse(data) as LooseEvent | null);
    }
  } catch (error) {
    throw new Refusal(reasonOfFailure(error, call.target.endpoint));
  }
}

/** Starts a conversation again, with its earlier turns, when ChatGPT no longer knows it. */
async function ask(call: ProviderCall, thread: ChatGPTThread | null, signal: AbortSignal): Promise<Response> {
  try {
    return await send(call, thread, signal);
  } catch (error) {
    if (!thread || !isForgotten(error)) throw error;
    return send(call, null, signal);
  }
}

function send(call: ProviderCall, thread: ChatGPTThread | null, signal: AbortSignal): Promise<Response> {
  const { baseURL, apiKey, endpoint } = call.target;
  return post({
    url: baseURL,
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    },
    body: JSON.stringify(conversationBody(call, thread)),
    signal,
    endpoint,
  });
}

function isForgotten(error: unknown): boolean {
  return error instanceof Refusal && error.reason.type === 'provider_refused' && error.reason.status === 404;
}

// Builds requests for ChatGPT.

/** The message of a ChatGPT conversation that a question follows. */
interface ChatGPTThread {
  conversationId: string;
  messageId: string;
}

/** Null for a new conversation. A question can follow any message: ChatGPT keeps branches, too. */
function chatGptThread({ thread }: ProviderCall): ChatGPTThread | null {
  const { chatGPTConversationId: conversationId, chatGPTMessageId: messageId } = thread?.ids ?? {};
  return conversationId && messageId ? { conversationId: String(conversationId), messageId: String(messageId) } : null;
}

function conversationBody({ model, messages }: ProviderCall, thread: ChatGPTThread | null): object {
  const turns = withContinuePrompt(messages);
  const text = thread ? (turns.at(-1)?.content ?? '') : withTranscript(turns);
  return {
    action: 'next',
    messages: [
      { id: randomUUID(), role: 'user', author: { role: 'user' }, content: { content_type: 'text', parts: [text] } },
    ],
    ...(thread && { conversation_id: thread.conversationId }),
    parent_message_id: thread?.messageId ?? randomUUID(),
    model,
  };
}

/** A new conversation starts with a single question, so earlier turns become part of its text. */
function withTranscript(turns: readonly ChatMessage[]): string {
  const question = turns.at(-1)?.content ?? '';
  return turns.length < 2
    ? question
    : `What was said so far:\n\n${headedTranscript(turns.slice(0, -1))}\n\nAnswer this:\n\n${question}`;
}

// Reads ChatGPT's stream leniently: unknown events are ignored.

/** One event: a whole message so far. */
interface LooseEvent {
  conversation_id?: string | null;
  error?: unknown;
  message?: LooseMessage | null;
}

interface LooseMessage {
  id?: string | null;
  author?: { role?: string | null } | null;
  content?: { content_type?: string | null; parts?: unknown[] | null } | null;
  metadata?: { finish_details?: { type?: string | null } | null } | null;
}

function createConversationReader() {
  const reply = createCumulativeReader();
  let finish: FinishReason = 'stop';
  let known = '';
  return { read, done };

  function* read(event: LooseEvent | null): Generator<Delta> {
    if (event?.error) refuse({ type: 'provider_unavailable', status: null });
    const { message, conversation_id: conversationId } = event ?? {};
    // The stream first repeats the question.
    if (message?.author?.role !== 'assistant') return;
    if (conversationId && message.id) yield* tell(conversationId, message.id);
    const [text] = message.content?.content_type === 'text' ? (message.content.parts ?? []) : [];
    if (typeof text === 'string') yield* reply.read(text);
    if (message.metadata?.finish_details?.type === 'max_tokens') finish = 'length';
  }

  /** After its end mark. */
  function* done(): Generator<Delta> {
    yield { type: 'finish', reason: finish };
  }

  function* tell(conversationId: string, messageId: string): Generator<Delta> {
    if (known === messageId) return;
    known = messageId;
    const ids = { chatGPTConversationId: conversationId, chatGPTMessageId: messageId };
    yield { type: 'thread', thread: { ids } };
  }
}
