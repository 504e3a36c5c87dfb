import './lazy-words.ts';
import { useSetAtom } from 'jotai';
import { useTranslation } from 'react-i18next';
import { showToast } from '../../lib/toast.tsx';
import { trpc } from '../../trpc.ts';
import { pendingRemovalsAtom, withoutRemovals, withRemovals } from './pending.ts';
import { isLoaded, type Chosen } from './selection.ts';
import { showUndo } from './undo.ts';
import { useChangeList } from './use-change-list.ts';

/**
 * Returns a function that puts convos, at most `SELECTION_MAX`, into the archive or takes them out: gone at once from
 * the list they stand in, with a toast that takes it back.
 */
export function useArchive(): (convos: readonly Chosen[], isArchived: boolean) => void {
  const { t } = useTranslation();
  const changeList = useChangeList();
  const setRemovals = useSetAtom(pendingRemovalsAtom);
  const { mutateAsync } = trpc.convos.archiveMany.useMutation();

  async function archive(convos: readonly Chosen[], isArchived: boolean, isUndo = false): Promise<void> {
    const conversationIds = convos.map((convo) => convo.conversationId);
    setRemovals((removals) => withRemovals(removals, conversationIds));
    try {
      await mutateAsync({ conversationIds, isArchived });
      changeList(convos.filter(isLoaded).map((convo) => ({ type: 'convo', convo: { ...convo, isArchived } })));
      const count = convos.length;
      const message = isArchived ? t('com_ui_convos_archived', { count }) : t('com_ui_convos_unarchived', { count });
      if (!isUndo) showUndo(message, () => void archive(convos, !isArchived, true));
    } catch {
      showToast({ message: t('com_ui_archive_failed'), severity: 'error' });
    } finally {
      setRemovals((removals) => withoutRemovals(removals, conversationIds));
    }
  }

  return (convos, isArchived) => void archive(convos, isArchived);
}
