import { IconPencil } from '@tabler/icons-react';
import { endpointTable } from '@parley/schema/catalog/endpoints';
import { messageText, type Message } from '@parley/schema/messages/messages';
import type { ThreadNode } from '@parley/schema/messages/thread';
import { useTranslation } from 'react-i18next';
import { isProvisional } from '../chat/exchanges/prepare-ask.ts';
import { messageEdit } from '../chat/lazy-panels.ts';
import { Parts } from '../chat/message/parts.tsx';
import { useEdited } from '../chat/message-edit/pending-edits.ts';
import { useEditing } from '../chat/message-edit/use-editing.ts';
import type { Chat } from '../chat/use-chat.ts';
import { MessageAttachments } from '../files/message/message-attachments.tsx';
import { Sources } from '../files/citations/sources.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { LazyBoundary } from '../ui/lazy/lazy-boundary.tsx';
import { LongWords } from '../ui/long-words.tsx';
import message from '../chat/message/message.module.css';
import classes from './columns.module.css';

/** Asks a question in other words, without these files. True when accepted. */
export type EditQuestion = (question: Message, text: string, goneIds: readonly string[]) => boolean;

/** A question, or an answer before the newest, with which nothing is done here. */
export function ColumnMessage({ chat, node, onEdit }: { chat: Chat; node: ThreadNode; onEdit: EditQuestion }) {
  const found = chat.findMessage(node.messageId);
  if (!found) return <div className={classes.pending} aria-hidden />;
  if (found.isCreatedByUser) return <Question message={found} isBusy={chat.generationId !== null} onEdit={onEdit} />;
  return (
    <article className="stack">
      <Parts message={found} isWriting={false} />
      <Sources message={found} />
    </article>
  );
}

function Question({ message: known, isBusy, onEdit }: { message: Message; isBusy: boolean; onEdit: EditQuestion }) {
  const { t } = useTranslation();
  const question = useEdited(known);
  const { isOpen, isNew, open, ref } = useEditing(question);
  const canEdit = endpointTable[question.endpointType].can.edit && !isProvisional(question);
  const text = messageText(question);
  const bubble = text !== '' && (
    <div className={message.bubble}>
      <div className={message.plainText} dir="auto">
        <LongWords text={text} />
      </div>
    </div>
  );
  return (
    <article ref={ref} className={classes.question} data-own>
      <MessageAttachments message={question} />
      {isOpen ? (
        <LazyBoundary fallback={bubble}>
          <messageEdit.Screen
            key={question.messageId}
            message={question}
            canSubmit={!isBusy}
            takesFocus={isNew}
            onSubmit={(edited, goneIds) => onEdit(question, edited, goneIds)}
          />
        </LazyBoundary>
      ) : (
        <div className={classes.asked}>
          {canEdit && (
            <IconButton className={classes.edit} data-action="edit" label={t('com_ui_edit')} onClick={open}>
              <IconPencil aria-hidden />
            </IconButton>
          )}
          {bubble}
        </div>
      )}
    </article>
  );
}
