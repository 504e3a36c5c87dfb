import type { Convo, TITLE_MAX } from '@parley/schema/convos/convos';
import { useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useSetAtom } from 'jotai';
import { showToast } from '../ui/toast/toast.ts';
import { trpc } from '../trpc.ts';
import { pendingTitlesAtom, withoutTitle, withTitle } from './pending-changes.ts';
import { useUpdateLists } from './changes/use-update-lists.ts';

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

/** Returns a function that renames a convo: shown at once, reverted with a toast if the server rejects it. */
function useRename() {
  const { t } = useTranslation();
  const changeList = useUpdateLists();
  const setTitles = useSetAtom(pendingTitlesAtom);
  const { mutate } = trpc.convos.rename.useMutation({
    onMutate: ({ conversationId, title }) => setTitles((titles) => withTitle(titles, conversationId, title)),
    onSuccess: (convo) => changeList([{ type: 'convo', convo }]),
    onError: () => showToast({ message: t('com_ui_rename_failed'), severity: 'error' }),
    onSettled: (_convo, _error, { conversationId, title }) =>
      setTitles((titles) => withoutTitle(titles, conversationId, title)),
  });
  return mutate;
}
