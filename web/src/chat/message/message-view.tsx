import { memo } from 'react';
import { ReplyMessage } from './reply-message.tsx';
import { UserMessage } from './user-message.tsx';
import type { MessageProps } from './message-props.ts';

/** One message of the thread. Memoized: a thread may be long. */
export const MessageView = memo(function MessageView(props: MessageProps) {
  return props.message.isCreatedByUser ? <UserMessage {...props} /> : <ReplyMessage {...props} />;
});
