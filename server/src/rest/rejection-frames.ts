import type { AskInput } from '@parley/schema/ask';
import type { Message } from '@parley/schema/messages';
import type { Settings } from '@parley/schema/params';
import { senderOf } from '@parley/schema/sender';
import type { AskType } from './ask-input.ts';
import { createdOf, failureOf } from './exchange-frames.ts';
import { failureTextOf } from './failure-text.ts';
import type { Refused } from './refused.ts';
import { frame } from './sse.ts';

/**
 * The frames of an ask that did not begin. A limit answers to the question as if it had begun, a missing key with an
 * error message; what is wrong with the request itself is only said.
 */
export async function* rejectionFrames(
  type: AskType,
  { input, refused }: { input: AskInput | null; refused: Refused },
): AsyncGenerator<string, void> {
  const { reason, text } = refused;
  switch (input && reason.type) {
    case 'concurrent':
    case 'message_limit':
    case 'token_balance':
    case 'banned':
    case 'moderation':
      yield frame('message', createdOf(requestOf(input)));
  }
}
