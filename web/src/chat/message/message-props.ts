import type { Message } from '@parley/schema/messages/messages';
import type { ChatActions } from '../chat-actions.ts';
import type { Exchange } from '../exchanges/exchange.ts';

export interface MessageProps {
  message: Message;
  /** The exchange of this reply, while it exists. */
  exchange: Exchange | undefined;
  /** A reply in progress, started here or elsewhere. */
  isWriting: boolean;
  isLatest: boolean;
  /** Its parent is a question, so it can be regenerated. */
  hasQuestion: boolean;
  /** A reply in this conversation is in progress. */
  isBusy: boolean;
  /** Its index among its siblings. */
  siblingIndex: number;
  siblingCount: number;
  actions: ChatActions;
}
