import {
  IconCheck,
  IconChevronLeft,
  IconChevronRight,
  IconCopy,
  IconPencil,
  IconPlayerTrackNext,
  IconRefresh,
} from '@tabler/icons-react';
import { textOf, type Message } from '@parley/schema/messages';
import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { copyText } from '../../lib/clipboard.ts';
import { IconButton } from '../../shell/icon-button.tsx';
import { preloadMessageEdit } from './lazy-message-edit.tsx';
import classes from './message-actions.module.css';
import { MessageMenu } from './message-menu.tsx';
import { isProvisional } from '../exchanges/send.ts';

/** Milliseconds for which a copy is confirmed. */
const CONFIRMED = 3000;

interface MessageActionsProps {
  message: Message;
  /** Keeps its room and shows nothing. */
  isHidden: boolean;
  place: number;
  total: number;
  onTurn: (step: number) => void;
  /** Each is absent where it makes no sense. */
  onEdit?: (() => void) | undefined;
  onRegenerate?: (() => void) | undefined;
  onContinue?: (() => void) | undefined;
}

/** The row under a message. It always takes its room, so that nothing moves when it appears. */
export function MessageActions({ message, isHidden, place, total, onTurn, ...rest }: MessageActionsProps) {
  const { t } = useTranslation();
  if (isHidden) return <div className={classes.row} />;
  const { onEdit, onRegenerate, onContinue } = rest;
  const text = textOf(message);
  return (
    <div className={classes.row}>
      <div className={classes.buttons}>
        {total > 1 && <Siblings place={place} total={total} onTurn={onTurn} />}
        {text !== '' && <Copy text={text} />}
        {onEdit && (
          <IconButton
            className={classes.button}
            data-action="edit"
            label={t('com_ui_edit')}
            onPointerEnter={preloadMessageEdit}
            onFocus={preloadMessageEdit}
            onClick={onEdit}
          >
            <IconPencil aria-hidden />
          </IconButton>
        )}
        {onRegenerate && (
          <IconButton
            className={classes.button}
            label={message.isCreatedByUser ? t('com_context_answer_again') : t('com_ui_regenerate')}
            onClick={onRegenerate}
          >
            <IconRefresh aria-hidden />
          </IconButton>
        )}
        {onContinue && (
          <IconButton className={classes.button} label={t('com_ui_continue')} onClick={onContinue}>
            <IconPlayerTrackNext aria-hidden />
          </IconButton>
        )}
        {!isProvisional(message) && <MessageMenu message={message} className={classes.button} />}
      </div>
    </div>
  );
}

function Siblings({ place, total, onTurn }: Pick<MessageActionsProps, 'place' | 'total' | 'onTurn'>) {
  const { t } = useTranslation();
  return (
    <span className={classes.siblings}>
      <Arrow label={t('com_ui_prev')} isEnd={place === 0} onClick={() => onTurn(-1)}>
        <IconChevronLeft aria-hidden />
      </Arrow>
      <span className={classes.count}>
        {place + 1} / {total}
      </span>
      <Arrow label={t('com_ui_next')} isEnd={place === total - 1} onClick={() => onTurn(1)}>
        <IconChevronRight aria-hidden />
      </Arrow>
    </span>
  );
}

interface ArrowProps {
  label: string;
  isEnd: boolean;
  onClick: () => void;
  children: ReactNode;
}

/** At the end it says so and stays, because a disabled button would drop the focus. */
function Arrow({ label, isEnd, onClick, children }: ArrowProps) {
  return (
    <IconButton
      className={classes.button}
      label={label}
      aria-disabled={isEnd || undefined}
      onClick={() => !isEnd && onClick()}
    >
      {children}
    </IconButton>
  );
}

function Copy({ text }: { text: string }) {
  const { t } = useTranslation();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), CONFIRMED);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <IconButton
      className={classes.button}
      label={isCopied ? t('com_ui_copied_to_clipboard') : t('com_ui_copy_to_clipboard')}
      onClick={() => void copyText(text).then(setCopied)}
    >
      {isCopied ? <IconCheck aria-hidden /> : <IconCopy aria-hidden />}
    </IconButton>
  );
}
