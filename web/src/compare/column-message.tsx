import { messageText } from '@parley/schema/messages/messages';
import type { ThreadNode } from '@parley/schema/messages/thread';
import { Parts } from '../chat/message/parts.tsx';
import type { Chat } from '../chat/use-chat.ts';
import { MessageAttachments } from '../files/message/message-attachments.tsx';
import { Sources } from '../files/citations/sources.tsx';
import { LongWords } from '../ui/long-words.tsx';
import message from '../chat/message/message.module.css';
import classes from './columns.module.css';

/** A message that nothing is done with here: a question, or an answer before the newest. */
export function ColumnMessage({ chat, node }: { chat: Chat; node: ThreadNode }) {
  const found = chat.findMessage(node.messageId);
  if (!found) return <div className={classes.pending} aria-hidden />;
  if (!found.isCreatedByUser) {
    return (
      <article className={classes.answer}>
        <Parts message={found} isWriting={false} />
        <Sources message={found} />
      </article>
    );
  }
  const text = messageText(found);
  return (
    <article className={classes.question} data-own>
      <MessageAttachments message={found} />
      {text !== '' && (
        <div className={message.bubble}>
          <div className={message.plainText} dir="auto">
            <LongWords text={text} />
          </div>
        </div>
      )}
    </article>
  );
}
