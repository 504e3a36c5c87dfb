// Builds requests for ChatGPT.
import { randomUUID } from 'node:crypto';
import { withContinuePrompt } from '../continue-prompt.ts';
import type { ChatMessage, ProviderCall } from '../provider.ts';
import { headedTranscript } from '../transcript.ts';

/** The message of a ChatGPT conversation that a question follows. */
export interface ChatGPTThread {
  conversationId: string;
  messageId: string;
}

/** Null for a new conversation. A question can follow any message: ChatGPT keeps branches, too. */
export function chatGptThread({ thread }: ProviderCall): ChatGPTThread | null {
  const { chatGPTConversationId: conversationId, chatGPTMessageId: messageId } = thread?.ids ?? {};
  return conversationId && messageId ? { conversationId: String(conversationId), messageId: String(messageId) } : null;
}

export function conversationBody({ model, messages }: ProviderCall, thread: ChatGPTThread | null): object {
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
