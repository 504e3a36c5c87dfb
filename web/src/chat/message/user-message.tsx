import '../../context/lazy-words.ts';
import '@mantine/core/styles/VisuallyHidden.css';
import { VisuallyHidden } from '@mantine/core';
import { endpointTable } from '@parley/schema/endpoints';
import { textOf } from '@parley/schema/messages';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Arriving } from '../../lib/arriving.tsx';
import { isLong } from '../thread/is-long.ts';
import { LazyMessageEdit } from './lazy-message-edit.tsx';
import { MessageActions } from './message-actions.tsx';
import { useEdited } from '../drafts/message-edits.ts';
import type { MessageProps } from './message-view.tsx';
import classes from './message.module.css';
import { isProvisional } from '../exchanges/send.ts';
import { useEditing } from './use-editing.ts';

/** What a person wrote, as they wrote it. */
export function UserMessage({ message: known, isLatest, isBusy, place, total, actions }: MessageProps) {
  const { t } = useTranslation();
  const message = useEdited(known);
  const { isOpen, isNew, open, ref } = useEditing(message);
  const { can } = endpointTable[message.endpointType];
  const isAlone = isLatest && !isBusy && !isProvisional(message);
  const bubble = <Bubble text={textOf(message)} />;
  return (
    <article ref={ref} className={classes.user} data-latest={isLatest || undefined}>
      <VisuallyHidden>{t('com_chat_you')}</VisuallyHidden>
      {isOpen ? (
        <Arriving fallback={bubble}>
          <LazyMessageEdit
            key={message.messageId}
            message={message}
            canSubmit={!isBusy}
            takesFocus={isNew}
            onSubmit={(text) => actions.submitEdit(message, text)}
          />
        </Arriving>
      ) : (
        bubble
      )}
      <MessageActions
        message={message}
        isHidden={isOpen || (isLatest && isBusy)}
        place={place}
        total={total}
        onTurn={(step) => actions.turn(message, step)}
        onEdit={can.edit && !isProvisional(message) ? open : undefined}
        // Its answer was deleted.
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
      <div className={classes.plain} data-folded={isFolded || undefined} dir="auto">
        {text}
      </div>
      {isLong(text) && (
        <button type="button" className={classes.more} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? t('com_ui_show_less') : t('com_ui_show_more')}
        </button>
      )}
    </div>
  );
}
