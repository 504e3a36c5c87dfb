import type { Convo } from '@parley/schema/convos/convos';
import { memo, useState, type MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import classes from './convo-row.module.css';
import { isPlainClick } from '../../lib/plain-click.ts';
import { RenameBox } from './rename-box.tsx';
import { RowButtons } from './row-buttons.tsx';

interface ConvoRowProps {
  convo: Convo;
  isOpen: boolean;
  /** Null outside the selection mode. */
  isChosen: boolean | null;
  onChoose: (convo: Convo, isRange: boolean) => void;
}

/** One conversation: its link, a mark while a reply is generated, and its actions. */
export const ConvoRow = memo(function ConvoRow({ convo, isOpen, isChosen, onChoose }: ConvoRowProps) {
  const [state, setState] = useState<'shown' | 'renaming' | 'renamed'>('shown');

  if (isChosen !== null) return <ChoiceRow convo={convo} isChosen={isChosen} onChoose={onChoose} />;
  if (state === 'renaming') {
    return (
      <div className={classes.row}>
        <RenameBox convo={convo} onFinish={(isFocused) => setState(isFocused ? 'renamed' : 'shown')} />
      </div>
    );
  }
  return (
    <div className={classes.row} data-open={isOpen || undefined}>
      <RowLink convo={convo} isOpen={isOpen} takesFocus={state === 'renamed'} onChoose={onChoose} />
      <RowButtons convo={convo} onRename={() => setState('renaming')} onSelect={() => onChoose(convo, false)} />
    </div>
  );
});

interface RowLinkProps {
  convo: Convo;
  isOpen: boolean;
  takesFocus: boolean;
  onChoose: ConvoRowProps['onChoose'];
}

function RowLink({ convo, isOpen, takesFocus, onChoose }: RowLinkProps) {
  const { t } = useTranslation();
  const [, navigate] = useLocation();
  const href = `/c/${convo.conversationId}`;
  const title = convo.title ?? t('com_ui_new_chat');

  /** Shift+click starts a selection. */
  function onClick(event: MouseEvent): void {
    if (!event.shiftKey && !isPlainClick(event)) return;
    event.preventDefault();
    if (event.shiftKey) onChoose(convo, true);
    else navigate(href);
  }

  return (
    <a
      ref={takesFocus ? focusOnMount : undefined}
      href={href}
      className={classes.link}
      aria-current={isOpen ? 'page' : undefined}
      title={title}
      data-testid="convo-item"
      data-row
      onClick={onClick}
    >
      <span className={classes.title} dir="auto">
        {title}
      </span>
      {convo.running && <span className={classes.dot} role="img" aria-label={t('com_ui_convo_running')} />}
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
    <label className={`${classes.row} ${classes.choice}`} data-chosen={isChosen || undefined} title={title}>
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
