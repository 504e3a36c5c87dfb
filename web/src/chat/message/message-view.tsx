import type { Message } from '@parley/schema/messages';
import { memo } from 'react';
import type { ChatActions } from '../chat-actions.ts';
import type { Exchange } from '../exchanges/exchange.ts';
import { ReplyMessage } from './reply-message.tsx';
import { UserMessage } from './user-message.tsx';

export interface MessageProps {
  message: Message;
  /** The exchange this is the reply of, while there is one. */
  exchange: Exchange | undefined;
  /** It is being written, here or elsewhere. */
  isWriting: boolean;
  isLatest: boolean;
  /** It stands under a question, which can be answered again. */
  hasQuestion: boolean;
  /** Some answer in this conversation is being written. */
  isBusy: boolean;
  /** Its place among its siblings, from 0. */
  place: number;
  total: number;
  actions: ChatActions;
}

/** One message of the thread. Drawn again only when something of it changes: a thread may be long. */
export const MessageView = memo(function MessageView(props: MessageProps) {
  return props.message.isCreatedByUser ? <UserMessage {...props} /> : <ReplyMessage {...props} />;
});
