import { useSetAtom } from 'jotai';
import { useTranslation } from 'react-i18next';
import { showToast } from '../../ui/toast/toast.ts';
import { trpc } from '../../trpc.ts';
import { pendingTitlesAtom, withoutTitle, withTitle } from '../pending-changes.ts';
import { useUpdateLists } from '../changes/use-update-lists.ts';

/** Returns a function that renames a convo: shown at once, reverted with a toast if the server rejects it. */
export function useRename() {
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
