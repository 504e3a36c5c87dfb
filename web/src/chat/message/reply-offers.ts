import { endpointTable } from '@parley/schema/endpoints';
import { textOf, type Message } from '@parley/schema/messages';

interface Circumstances {
  isLatest: boolean;
  /** Only a question can be answered again. */
  hasQuestion: boolean;
  /** Some answer in this conversation is being written. */
  isBusy: boolean;
  isEditing: boolean;
  /** It was never taken by the server: there is nothing to change or to go on from. */
  isRefused: boolean;
}

export interface ReplyOffers {
  edit: boolean;
  /** Whether an edited text can be gone on from. */
  submitEdit: boolean;
  regenerate: boolean;
  continue: boolean;
}

/** What a person may do with an answer now: by its endpoint, and by where it stands. */
export function replyOffers(
  message: Message,
  { isLatest, hasQuestion, isBusy, isEditing, isRefused }: Circumstances,
): ReplyOffers {
  const { can } = endpointTable[message.endpointType];
  const hasText = textOf(message).trim() !== '';
  return {
    edit: can.edit && hasText && !isRefused,
    // Google's models refuse a conversation that ends with words of their own.
    submitEdit: message.endpointType !== 'google' && !isBusy,
    regenerate: can.regenerate && hasQuestion && !isBusy && !isRefused,
    continue:
      can.continue && isLatest && hasText && message.finishReason !== 'stop' && !isBusy && !isEditing && !isRefused,
  };
}
