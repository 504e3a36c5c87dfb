// Presents a refused ask as server-sent events.
import type { ReadAsk } from '../compat/ask-input.ts';
import { createdOf, failureOf } from './exchange-frames.ts';
import { failureTextOf } from './failure-text.ts';
import type { RefusedRequest } from '../errors.ts';
import { frame } from '../sse.ts';

export interface Rejection {
  /** Null when the body could not be parsed. */
  read: ReadAsk | null;
  refused: RefusedRequest;
  sender: string;
}

/**
 * The events of an ask that was refused. A rate limit appears as an answer to the question, a missing key as an error
 * message; an invalid request only as an error event (docs/rest-compat.md, Errors in streams).
 */
export async function* rejectionFrames({ read, refused, sender }: Rejection): AsyncGenerator<string, void> {
  if (!read) return yield frame('error', { text: refused.text });
  const { input, question } = read;
  const { reason, violation } = refused;
  const { replyId: messageId, conversationId } = input;
  const reply = { messageId, conversationId, parentMessageId: question.messageId, sender };
  switch (reason.type) {
    case 'concurrent':
    case 'message_limit':
    case 'token_balance':
    case 'banned':
    case 'moderation':
      yield frame('message', createdOf(question));
      return yield frame('error', failureOf(reply, failureTextOf(reason, { violation })));
    case 'no_user_key':
    case 'invalid_user_key':
    case 'expired_user_key':
    case 'no_base_url':
    case 'forbidden_base_url':
      return yield frame('error', failureOf(reply, failureTextOf(reason)));
    case 'non_browser':
      return yield frame('error', { message: refused.text });
    default:
      yield frame('error', { text: refused.text });
  }
}
