import { endpointTable } from '@parley/schema/catalog/endpoints';
import { isLoopCall, messageText, type Message } from '@parley/schema/messages/messages';
import { isWaiting } from '../steps/group-parts.ts';

interface Circumstances {
  isLatest: boolean;
  /** Only a reply to a question can be regenerated. */
  hasQuestion: boolean;
  /** A reply in this conversation is in progress. */
  isBusy: boolean;
  isEditing: boolean;
  /** The server refused the ask: there is nothing to edit or continue. */
  isRefused: boolean;
}

export interface ReplyActions {
  edit: boolean;
  /** Whether the model can continue an edited reply. */
  submitEdit: boolean;
  regenerate: boolean;
  continue: boolean;
}

/** The actions available for a reply, from its endpoint and its state. */
export function replyActions(
  message: Message,
  { isLatest, hasQuestion, isBusy, isEditing, isRefused }: Circumstances,
): ReplyActions {
  const { can } = endpointTable[message.endpointType];
  const hasText = messageText(message).trim() !== '';
  const isBegun = hasText || message.parts.some(isLoopCall);
  return {
    edit: can.edit && hasText && !isRefused,
    // Google's models reject a conversation that ends with a model turn.
    submitEdit: message.endpointType !== 'google' && !isBusy,
    regenerate: can.regenerate && hasQuestion && !isBusy && !isRefused,
    continue:
      can.continue &&
      isLatest &&
      isBegun &&
      !isWaiting(message) &&
      message.finishReason !== 'stop' &&
      !isBusy &&
      !isEditing &&
      !isRefused,
  };
}
