import type { Convo, TITLE_MAX } from '@parley/schema/convos/convos';
import { useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useRename } from './actions/use-rename.ts';

/** Of its schema only the type is loaded. */
const LONGEST: typeof TITLE_MAX = 255;

interface TitleInputProps {
  convo: Convo;
  /** The title or what stands in its place. */
  title: string;
  className: string | undefined;
  /** Called once, with whether the input still has the focus. */
  onFinish: (hasFocus: boolean) => void;
}

/** Edits the title of a conversation in place: Enter and blur save a changed title, Escape cancels. */
export function TitleInput({ convo: { conversationId }, title, className, onFinish }: TitleInputProps) {
  const { t } = useTranslation();
  const rename = useRename();
  const isFinished = useRef(false);

  function finish(written: string | null, hasFocus: boolean): void {
    if (isFinished.current) return;
    isFinished.current = true;
    const next = written?.trim();
    if (next && next !== title) rename({ conversationId, title: next });
    onFinish(hasFocus);
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
      className={className}
      data-renaming
      aria-label={t('com_ui_rename_label')}
      defaultValue={title}
      maxLength={LONGEST}
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
