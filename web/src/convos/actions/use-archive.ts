import { useSetAtom } from 'jotai';
import { useTranslation } from 'react-i18next';
import { showToast } from '../../ui/toast/toast.ts';
import { trpc } from '../../trpc.ts';
import { pendingRemovalsAtom, withoutRemovals, withRemovals } from '../pending-changes.ts';
import { isLoaded } from '../selection.ts';
import type { ConvoOrId } from '../../dialogs/open-dialog.ts';
import { showUndo } from '../../ui/toast/undo.ts';
import { useUpdateLists } from '../changes/use-update-lists.ts';

/**
 * Returns a function that archives or unarchives convos, at most `SELECTION_MAX`: they leave their list at once, with
 * an undo toast.
 */
export function useArchive(): (convos: readonly ConvoOrId[], isArchived: boolean) => void {
  const { t } = useTranslation();
  const changeList = useUpdateLists();
  const setRemovals = useSetAtom(pendingRemovalsAtom);
  const { mutateAsync } = trpc.convos.archiveMany.useMutation();

  async function archive(convos: readonly ConvoOrId[], isArchived: boolean, isUndo = false): Promise<void> {
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
