import './lazy-words.ts';
import { useSetAtom } from 'jotai';
import { useTranslation } from 'react-i18next';
import { showToast } from '../../lib/toast.tsx';
import { trpc } from '../../trpc.ts';
import { pendingTitlesAtom, withoutTitle, withTitle } from './pending.ts';
import { useChangeList } from './use-change-list.ts';

/** Returns a function that renames a convo: shown at once, taken back with a toast when the server will not have it. */
export function useRename() {
  const { t } = useTranslation();
  const changeList = useChangeList();
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
