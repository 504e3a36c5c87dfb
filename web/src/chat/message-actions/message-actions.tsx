import { IconCheck, IconChevronLeft, IconChevronRight, IconCopy, IconPencil, IconRefresh } from '@tabler/icons-react';
import type { Message } from '@parley/schema/messages/messages';
import { readableText } from '@parley/schema/messages/readable-text';
import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatPosition } from '../../lib/format-number.ts';
import type { OtherModel } from '../../catalog/model-target.ts';
import { withKeys } from '../../layout/shortcuts.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { isRatable, Thumbs } from '../rating/thumbs.tsx';
import { MessageTime } from '../message-time/message-time.tsx';
import { messageEdit, messageMenu, readButton } from '../lazy-panels.ts';
import classes from './message-actions.module.css';
import { copyMessage } from '../message-copy/copy-message.ts';
import { isProvisional } from '../exchanges/prepare-ask.ts';
import { LazyBoundary } from '../../ui/lazy/lazy-boundary.tsx';
import { MenuButton } from './message-menu-button.tsx';

/** Duration of the copy confirmation, in milliseconds. */
const CONFIRMED_MS = 3000;

interface MessageActionsProps {
  message: Message;
  /** A shortcut copies it. */
  isLastAnswer?: boolean;
  /** Invisible, but keeps its space. */
  isHidden: boolean;
  siblingIndex: number;
  siblingCount: number;
  onShowSibling: (step: number) => void;
  /** Each is absent where it does not apply. */
  onEdit?: (() => void) | undefined;
  onRegenerate?: (() => void) | undefined;
  onContinue?: (() => void) | undefined;
  onAskOther?: ((model: OtherModel) => void) | undefined;
}

/** The row of actions under a message. It always takes its space, to avoid a layout shift. */
export function MessageActions({
  message,
  isLastAnswer = false,
  isHidden,
  siblingIndex,
  siblingCount,
  onShowSibling,
  ...rest
}: MessageActionsProps) {
  const { t } = useTranslation();
  if (isHidden) return <div className={classes.row} />;
  const { onEdit, onRegenerate, onContinue, onAskOther } = rest;
  const text = readableText(message);
  const siblings = siblingCount > 1 && (
    <Siblings siblingIndex={siblingIndex} siblingCount={siblingCount} onShowSibling={onShowSibling} />
  );
  return (
    <div className={classes.row}>
      {!message.isCreatedByUser && siblings}
      <div className={classes.buttons}>
        {message.isCreatedByUser && <MessageTime iso={message.createdAt} className={classes.time} />}
        {text !== '' && <Copy text={text} isLastAnswer={isLastAnswer} />}
        {onEdit && (
          <IconButton
            className={classes.button}
            data-action="edit"
            label={t('com_ui_edit')}
            onPointerEnter={messageEdit.preload}
            onFocus={messageEdit.preload}
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
        {isRatable(message) && !isProvisional(message) && <Thumbs message={message} className={classes.button} />}
        {!message.isCreatedByUser && text !== '' && <readButton.Screen message={message} className={classes.button} />}
        {onContinue && (
          <Button size="sm" variant="subtle" className={classes.text} onClick={onContinue}>
            {t('com_ui_continue')}
          </Button>
        )}
        {!isProvisional(message) && (
          <MessageMenu message={message} className={classes.button} onAskOther={onAskOther} />
        )}
      </div>
      {message.isCreatedByUser && siblings}
    </div>
  );
}

function Siblings({
  siblingIndex,
  siblingCount,
  onShowSibling,
}: Pick<MessageActionsProps, 'siblingIndex' | 'siblingCount' | 'onShowSibling'>) {
  const { t, i18n } = useTranslation();
  return (
    <span className={classes.siblings}>
      <Arrow label={t('com_ui_prev')} isEnd={siblingIndex === 0} onClick={() => onShowSibling(-1)}>
        <IconChevronLeft aria-hidden />
      </Arrow>
      <span className={classes.count}>{formatPosition(siblingIndex + 1, siblingCount, i18n.language)}</span>
      <Arrow label={t('com_ui_next')} isEnd={siblingIndex === siblingCount - 1} onClick={() => onShowSibling(1)}>
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

/** At the first or last sibling it uses aria-disabled, because a disabled button would lose the focus. */
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

function Copy({ text, isLastAnswer }: { text: string; isLastAnswer: boolean }) {
  const { t } = useTranslation();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), CONFIRMED_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <IconButton
      className={classes.button}
      label={isCopied ? t('com_ui_copied_to_clipboard') : t('com_ui_copy_to_clipboard')}
      {...(isLastAnswer && withKeys('copyAnswer'))}
      onClick={({ currentTarget }) => void copyMessage(text, currentTarget.closest('article')).then(setCopied)}
    >
      {isCopied ? <IconCheck aria-hidden /> : <IconCopy aria-hidden />}
    </IconButton>
  );
}

interface MessageMenuProps {
  message: Message;
  className: string | undefined;
  onAskOther?: ((model: OtherModel) => void) | undefined;
}

/** The less common actions of a message. The menu's code preloads on hover and focus. */
function MessageMenu({ message, className, onAskOther }: MessageMenuProps) {
  const [isWanted, setWanted] = useState(false);
  const button = { className, onPointerEnter: messageMenu.preload, onFocus: messageMenu.preload };
  if (!isWanted) return <MenuButton {...button} aria-expanded={false} onClick={() => setWanted(true)} />;
  return (
    <LazyBoundary fallback={<MenuButton {...button} aria-expanded />} onFailure={() => setWanted(false)}>
      <messageMenu.Screen message={message} className={className} onAskOther={onAskOther} />
    </LazyBoundary>
  );
}
