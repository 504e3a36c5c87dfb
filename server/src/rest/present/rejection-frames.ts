// Presents a refused ask as server-sent events.
import type { Reason } from '@parley/schema/reasons';
import type { ReadAsk } from '../compat/ask-input.ts';
import { presentCreated, replyFailureText } from './exchange-frames.ts';
import { reasonFailureText } from './failure-text.ts';
import type { RefusedRequest } from '../errors.ts';
import { frame } from '../sse.ts';

export interface Rejection {
  /** Null when the body could not be parsed. */
  read: ReadAsk | null;
  refused: RefusedRequest;
  sender: string;
}

/**
 * The events of an ask that was refused. A rate limit appears as an answer to the question, anything else as an error
 * message: a client that reads no message from an error event waits for ever. Only what its own pages never send is a
 * bare sentence (docs/rest-compat.md, Errors in streams).
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
      yield frame('message', presentCreated(question));
      return yield frame('error', replyFailureText(reply, reasonFailureText(reason, { violation })));
    case 'non_browser':
      return yield frame('error', { message: refused.text });
    default:
      yield frame(
        'error',
        isInvalidRequest(reason) ? { text: refused.text } : replyFailureText(reply, reasonFailureText(reason)),
      );
  }
}

/** Whether the request names an endpoint or a model that is not offered, or has other invalid fields. */
function isInvalidRequest(reason: Reason): boolean {
  if (reason.type === 'not_found') return reason.what === 'endpoint';
  return (
    reason.type === 'invalid_input' || reason.type === 'illegal_model_request' || reason.type === 'model_not_yours'
  );
}
