import '@mantine/core/styles/VisuallyHidden.css';
import { VisuallyHidden } from '@mantine/core';
import { textOf } from '@parley/schema/messages';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isLong } from './is-long.ts';
import { MessageActions } from './message-actions.tsx';
import type { MessageProps } from './message-view.tsx';
import classes from './message.module.css';

/** What a person wrote, as they wrote it. */
export function UserMessage({ message, isLatest, isBusy, place, total, actions }: MessageProps) {
  const { t } = useTranslation();
  const text = textOf(message);
  return (
    <article className={classes.user} data-latest={isLatest || undefined}>
      <VisuallyHidden>{t('com_chat_you')}</VisuallyHidden>
      <Bubble text={text} />
      <MessageActions
        text={text}
        isHidden={isLatest && isBusy}
        place={place}
        total={total}
        onTurn={(step) => actions.turn(message, step)}
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
