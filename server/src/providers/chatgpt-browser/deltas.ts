// Reads ChatGPT's stream leniently: unknown events are ignored.
import type { FinishReason } from '@parley/schema/messages/messages';
import { refuse } from '../../platform/errors.ts';
import type { Delta } from '../../generation/delta.ts';
import { createCumulativeReader } from '../cumulative-text.ts';

/** One event: a whole message so far. */
export interface LooseEvent {
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

export function createConversationReader() {
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
