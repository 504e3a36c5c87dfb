import type { Message } from '@parley/schema/messages/messages';
import { memo, useCallback, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { senderLabel } from '../../catalog/sender-label.ts';
import { ReplyIcon } from '../../endpoints/reply-icon.tsx';
import { SetTokenLogo } from '../../keys/set-token-logo.tsx';
import { LazyBoundary } from '../../ui/lazy/lazy-boundary.tsx';
import { answerFacts } from '../answer-facts/answer-facts.ts';
import { MessageTime } from '../message-time/message-time.tsx';
import { messageEdit } from '../lazy-panels.ts';
import { useEdited } from '../message-edit/pending-edits.ts';
import classes from './message.module.css';
import { Parts } from './parts.tsx';
import { replyActions } from './reply-actions.ts';
import { ReplyEnd } from './reply-end.tsx';
import { useEditing } from '../message-edit/use-editing.ts';
import { useLiveReply } from './use-live-reply.ts';
import type { ChatActions } from '../chat-actions.ts';
import type { Decide } from '../steps/approval-requests.tsx';
import type { MessageProps } from './message-props.ts';

/** A model's reply. While it streams, only this part of the page renders. */
export function ReplyMessage(props: MessageProps) {
  return <Reply {...props} message={useLiveReply(props.message, props.isWriting)} />;
}

const Reply = memo(function Reply(props: MessageProps) {
  const { exchange, isWriting, isLatest, isBusy, actions } = props;
  const message = useEdited(props.message);
  const { isOpen, isNew, open, ref } = useEditing(message);
  const isEditing = isOpen && !isWriting;
  const isRefused = exchange?.status === 'failed';
  const offers = replyActions(message, { ...props, isEditing, isRefused });
  const decide = useDecide(actions, message);
  const canDecide = isLatest && !isBusy && !isRefused;
  const parts = <Parts message={message} isWriting={isWriting} onDecide={canDecide ? decide : undefined} />;
  return (
    <article
      ref={ref}
      className={classes.reply}
      data-latest={isLatest || undefined}
      data-failed={message.reason !== null || undefined}
      aria-busy={isWriting}
    >
      <div className={classes.icon}>
        {message.reason ? (
          <SetTokenLogo message={message}>
            <ReplyIcon message={message} />
          </SetTokenLogo>
        ) : (
          <ReplyIcon message={message} />
        )}
      </div>
      <div className={classes.body}>
        <Who message={message} isWriting={isWriting} />
        {isEditing ? (
          <LazyBoundary fallback={parts}>
            <messageEdit.Screen
              key={message.messageId}
              message={message}
              canSubmit={offers.submitEdit}
              takesFocus={isNew}
              onSubmit={(text) => actions.submitEdit(message, text)}
            />
          </LazyBoundary>
        ) : (
          parts
        )}
        <ReplyEnd {...props} message={message} isEditing={isEditing} offers={offers} onEdit={open} />
      </div>
    </article>
  );
});

/** The same function while the message is the same: steps do not render again with every event. */
function useDecide(actions: ChatActions, message: Message): Decide {
  const newest = useRef(message);
  useLayoutEffect(() => void (newest.current = message));
  return useCallback((decisions, research) => actions.resume(newest.current, decisions, research), [actions]);
}

function Who({ message, isWriting }: { message: Message; isWriting: boolean }) {
  const { t, i18n } = useTranslation();
  return (
    <div className={classes.sender}>
      <b>{senderLabel(message)}</b>
      {message.model && <span> · {message.model}</span>}
      {message.isEdited && <span> · {t('com_chat_edited')}</span>}
      <span> · </span>
      <MessageTime iso={message.createdAt} />
      {!isWriting && (
        <span className={classes.facts}>
          {answerFacts(message, t, i18n.language).map((fact) => (
            <span key={fact}> · {fact}</span>
          ))}
        </span>
      )}
    </div>
  );
}
