// What ChatGPT is asked.
import { randomUUID } from 'node:crypto';
import { askingToGoOn } from '../going-on.ts';
import type { ChatMessage, ProviderCall } from '../provider.ts';
import { transcriptOf } from '../transcript.ts';

/** The message that a question hangs below, in a conversation there. */
export interface ChatGPTPlace {
  conversationId: string;
  messageId: string;
}

/** Null for a new conversation. Any message of one can be gone on from: branches are branches there, too. */
export function placeOf({ upstreamPlace }: ProviderCall): ChatGPTPlace | null {
  const { chatGPTConversationId: conversationId, chatGPTMessageId: messageId } = upstreamPlace?.ids ?? {};
  return conversationId && messageId ? { conversationId: String(conversationId), messageId: String(messageId) } : null;
}

export function conversationBody({ model, messages }: ProviderCall, place: ChatGPTPlace | null): object {
  const turns = askingToGoOn(messages);
  const text = place ? (turns.at(-1)?.content ?? '') : wholeOf(turns);
  return {
    action: 'next',
    messages: [
      { id: randomUUID(), role: 'user', author: { role: 'user' }, content: { content_type: 'text', parts: [text] } },
    ],
    ...(place && { conversation_id: place.conversationId }),
    parent_message_id: place?.messageId ?? randomUUID(),
    model,
  };
}

/** One question cannot have answers above it there: what was said before is told with it. */
function wholeOf(turns: readonly ChatMessage[]): string {
  const question = turns.at(-1)?.content ?? '';
  return turns.length < 2
    ? question
    : `What was said so far:\n\n${transcriptOf(turns.slice(0, -1))}\n\nAnswer this:\n\n${question}`;
}
