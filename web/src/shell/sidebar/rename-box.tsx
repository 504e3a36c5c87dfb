import type { Convo } from '@parley/schema/convos';
import { useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './convo-row.module.css';
import { useRename } from '../convos/use-rename.ts';

/** The server takes no longer title. */
const LONGEST_TITLE = 255;

interface RenameBoxProps {
  convo: Convo;
  /** Told once, with whether the focus is still here. */
  onFinish: (isFocused: boolean) => void;
}

/** A title being edited in its row: Enter or leaving saves what is new, Escape does not. */
export function RenameBox({ convo, onFinish }: RenameBoxProps) {
  const { t } = useTranslation();
  const rename = useRename();
  const isFinished = useRef(false);
  const { conversationId } = convo;
  const shown = convo.title ?? t('com_ui_new_chat');

  function finish(written: string | null, isFocused: boolean): void {
    if (isFinished.current) return;
    isFinished.current = true;
    const title = written?.trim();
    if (title && title !== shown) rename({ conversationId, title });
    onFinish(isFocused);
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    // The Enter that picks a word of an input method, and the Escape that drops one, belong to it.
    if (event.nativeEvent.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return;
    event.preventDefault();
    event.stopPropagation();
    finish(event.key === 'Enter' ? event.currentTarget.value : null, true);
  }

  return (
    <input
      className={classes.rename}
      aria-label={t('com_ui_rename_label')}
      defaultValue={shown}
      maxLength={LONGEST_TITLE}
      dir="auto"
      enterKeyHint="done"
      autoComplete="off"
      // The person has just asked to write here.
      autoFocus
      onFocus={(event) => event.currentTarget.select()}
      onKeyDown={onKeyDown}
      onBlur={(event) => finish(event.currentTarget.value, false)}
    />
  );
}
