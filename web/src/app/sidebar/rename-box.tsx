import type { Convo } from '@parley/schema/convos/convos';
import { useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './convo-row.module.css';
import { useRename } from '../../convos/actions/use-rename.ts';

/** The server's limit, in characters. */
const LONGEST_TITLE = 255;

interface RenameBoxProps {
  convo: Convo;
  /** Called once, with whether the input still has the focus. */
  onFinish: (isFocused: boolean) => void;
}

/** Edits a title in its row: Enter and blur save a changed title, Escape cancels. */
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
    // Enter and Escape during an IME composition belong to the input method.
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
      // The user has just chosen to rename it.
      // oxlint-disable-next-line jsx-a11y/no-autofocus
      autoFocus
      onFocus={(event) => event.currentTarget.select()}
      onKeyDown={onKeyDown}
      onBlur={(event) => finish(event.currentTarget.value, false)}
    />
  );
}
