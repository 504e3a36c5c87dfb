import { endpointTable } from '@parley/schema/catalog/endpoints';
import { messageText } from '@parley/schema/messages/messages';
import { useAtomValue } from 'jotai';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { UserAvatar } from '../../files/avatar/user-avatar.tsx';
import { MessageAttachments } from '../../files/message/message-attachments.tsx';
import { session } from '../../session/current-session.ts';
import { settingAtom } from '../../stored-settings.ts';
import { LazyBoundary } from '../../ui/lazy/lazy-boundary.tsx';
import { LongWords } from '../../ui/long-words.tsx';
import { isLong } from './is-long.ts';
import { messageEdit } from '../lazy-panels.ts';
import { MessageActions } from '../message-actions/message-actions.tsx';
import { useEdited } from '../message-edit/pending-edits.ts';
import { TextButton } from '../../ui/text-button/text-button.tsx';
import classes from './message.module.css';
import { isProvisional } from '../exchanges/prepare-ask.ts';
import { useEditing } from '../message-edit/use-editing.ts';
import type { MessageProps } from './message-props.ts';
import { VisuallyHidden } from '../../ui/primitives/visually-hidden.tsx';

/** The user's message as plain text. */
export function UserMessage({ message: known, isLatest, isBusy, siblingIndex, siblingCount, actions }: MessageProps) {
  const { t } = useTranslation();
  const { user } = useAtomValue(session.state);
  const isNamed = useAtomValue(settingAtom('UsernameDisplay'));
  const message = useEdited(known);
  const { isOpen, isNew, open, ref } = useEditing(message);
  const { can } = endpointTable[message.endpointType];
  const isAlone = isLatest && !isBusy && !isProvisional(message);
  const text = messageText(message);
  // A question may be its files alone.
  const bubble = text === '' ? null : <Bubble text={text} />;
  return (
    <article ref={ref} className={classes.user} data-own data-latest={isLatest || undefined}>
      <VisuallyHidden>{t('com_chat_you')}</VisuallyHidden>
      {user && isNamed && <span className={classes.username}>{user.username || user.name}</span>}
      {user && (
        <span className={classes.author}>
          <UserAvatar user={user} />
        </span>
      )}
      <MessageAttachments message={message} />
      {isOpen ? (
        <LazyBoundary fallback={bubble}>
          <messageEdit.Screen
            key={message.messageId}
            message={message}
            canSubmit={!isBusy}
            takesFocus={isNew}
            onSubmit={(text, goneIds) => actions.submitEdit(message, text, goneIds)}
          />
        </LazyBoundary>
      ) : (
        bubble
      )}
      <MessageActions
        message={message}
        isHidden={isOpen || (isLatest && isBusy)}
        siblingIndex={siblingIndex}
        siblingCount={siblingCount}
        onShowSibling={(step) => actions.showSibling(message, step)}
        onEdit={can.edit && !isProvisional(message) ? open : undefined}
        // Its reply was deleted.
        onRegenerate={can.regenerate && isAlone ? () => actions.regenerate(message) : undefined}
      />
    </article>
  );
}

function Bubble({ text }: { text: string }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const isFolded = isLong(text) && !isOpen;
  return (
    <div className={classes.bubble}>
      <div className={classes.plainText} data-folded={isFolded || undefined} data-said dir="auto">
        <LongWords text={text} />
      </div>
      {isLong(text) && (
        <TextButton aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? t('com_ui_show_less') : t('com_ui_show_more')}
        </TextButton>
      )}
    </div>
  );
}
