import type { Convo } from '@parley/schema/convos/convos';
import { memo, useState, type KeyboardEvent, type MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import classes from './convo-row.module.css';
import { TitleInput } from '../../convos/title-input.tsx';
import { isPlainClick } from '../../lib/plain-click.ts';
import { LazyBoundary } from '../../ui/lazy/lazy-boundary.tsx';
import { ConvoMenuButton } from './more-button.tsx';
import type { RowMenuProps } from './row-menu.tsx';
import { rowMenu } from '../lazy/lazy-menus.ts';

interface ConvoRowProps {
  convo: Convo;
  isOpen: boolean;
  /** Null outside the selection mode. */
  isChosen: boolean | null;
  onChoose: (convo: Convo, isRange: boolean) => void;
}

/** One conversation: its link, a mark while a reply is generated or unread, and its menu. */
export const ConvoRow = memo(function ConvoRow({ convo, isOpen, isChosen, onChoose }: ConvoRowProps) {
  const { t } = useTranslation();
  const [state, setState] = useState<'shown' | 'renaming' | 'renamed'>('shown');
  const [asked, setAsked] = useState(0);
  const openMenu = () => setAsked((times) => times + 1);

  if (isChosen !== null) return <ChoiceRow convo={convo} isChosen={isChosen} onChoose={onChoose} />;
  if (state === 'renaming') {
    return (
      <div className={classes.row}>
        <TitleInput
          convo={convo}
          title={convo.title ?? t('com_ui_new_chat')}
          className={classes.rename}
          onFinish={(hasFocus) => setState(hasFocus ? 'renamed' : 'shown')}
        />
      </div>
    );
  }
  return (
    <div className={classes.row} data-open={isOpen || undefined}>
      <RowLink convo={convo} isOpen={isOpen} takesFocus={state === 'renamed'} onMenu={openMenu} />
      <RowButtons
        convo={convo}
        asked={asked}
        onAsk={openMenu}
        onRename={() => {
          setAsked(0);
          setState('renaming');
        }}
        onSelect={() => {
          // The menu is not open when the row comes back.
          setAsked(0);
          onChoose(convo, false);
        }}
      />
    </div>
  );
});

interface RowLinkProps {
  convo: Convo;
  isOpen: boolean;
  takesFocus: boolean;
  onMenu: () => void;
}

function RowLink({ convo, isOpen, takesFocus, onMenu }: RowLinkProps) {
  const { t } = useTranslation();
  const [, navigate] = useLocation();
  const href = `/c/${convo.conversationId}`;
  const title = convo.title ?? t('com_ui_new_chat');

  /** Other clicks are the browser's, a new tab or window, or the sidebar's. */
  function onClick(event: MouseEvent): void {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    navigate(href);
  }

  function onContextMenu(event: MouseEvent): void {
    event.preventDefault();
    onMenu();
  }

  /** Not every browser turns these keys into an event of the context menu. */
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'ContextMenu' && !(event.key === 'F10' && event.shiftKey)) return;
    event.preventDefault();
    // The menu, which opens at once, does not take this key for its own.
    event.stopPropagation();
    onMenu();
  }

  return (
    <a
      ref={takesFocus ? focusOnMount : undefined}
      href={href}
      className={classes.link}
      aria-current={isOpen ? 'page' : undefined}
      data-testid="convo-item"
      data-row
      onClick={onClick}
      data-tooltip={title}
      data-cut
      onContextMenu={onContextMenu}
      onKeyDown={onKeyDown}
    >
      <span className={classes.title} dir="auto">
        {title}
      </span>
      {convo.running ? (
        <span className={classes.dot} role="img" aria-label={t('com_ui_convo_running')} />
      ) : (
        convo.isUnread && <span className={classes.unread} role="img" aria-label={t('com_ui_convo_unread')} />
      )}
    </a>
  );
}

interface ChoiceRowProps {
  convo: Convo;
  isChosen: boolean;
  onChoose: ConvoRowProps['onChoose'];
}

/** In the selection mode a row is a checkbox. */
function ChoiceRow({ convo, isChosen, onChoose }: ChoiceRowProps) {
  const { t } = useTranslation();
  const title = convo.title ?? t('com_ui_new_chat');
  return (
    <label
      className={`${classes.row} ${classes.choice}`}
      data-chosen={isChosen || undefined}
      data-tooltip={title}
      data-cut
    >
      <input
        type="checkbox"
        className={classes.box}
        checked={isChosen}
        data-row
        onChange={({ nativeEvent }) => onChoose(convo, nativeEvent instanceof PointerEvent && nativeEvent.shiftKey)}
      />
      <span className={classes.title} dir="auto">
        {title}
      </span>
    </label>
  );
}

/** Takes the focus in place of the removed input. */
function focusOnMount(element: HTMLElement | null): void {
  element?.focus();
}

interface RowButtonsProps extends RowMenuProps {
  /** How many times the menu was asked for; each opens it anew. */
  asked: number;
  onAsk: () => void;
}

/** The button of a conversation's menu. */
function RowButtons({ asked, onAsk, ...row }: RowButtonsProps) {
  const [failed, setFailed] = useState(0);
  const { convo } = row;
  return (
    <div className={classes.tools}>
      {asked > failed ? (
        <LazyBoundary
          key={asked}
          fallback={<ConvoMenuButton convo={convo} aria-expanded />}
          onFailure={() => setFailed(asked)}
        >
          <rowMenu.Screen {...row} />
        </LazyBoundary>
      ) : (
        <ConvoMenuButton
          convo={convo}
          aria-expanded={false}
          onPointerEnter={rowMenu.preload}
          onFocus={rowMenu.preload}
          onClick={onAsk}
        />
      )}
    </div>
  );
}
