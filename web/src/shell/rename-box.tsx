import { useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './convo-row.module.css';

/** The server takes no longer title. */
const LONGEST_TITLE = 255;

interface RenameBoxProps {
  title: string;
  /** Told once: the new title, or null when there is none to save; and whether the focus is still here. */
  onFinish: (title: string | null, isFocused: boolean) => void;
}

/** A title being edited in its row: Enter or leaving saves, Escape does not. */
export function RenameBox({ title, onFinish }: RenameBoxProps) {
  const { t } = useTranslation();
  const isFinished = useRef(false);

  function finish(written: string | null, isFocused: boolean): void {
    if (isFinished.current) return;
    isFinished.current = true;
    const trimmed = written?.trim();
    onFinish(!trimmed || trimmed === title ? null : trimmed, isFocused);
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
      defaultValue={title}
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
