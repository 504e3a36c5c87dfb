import { Menu } from '@mantine/core';
import {
  IconArchive,
  IconFolderPlus,
  IconFolders,
  IconMailOpened,
  IconSquareCheck,
  IconTrash,
} from '@tabler/icons-react';
import { useSetAtom } from 'jotai';
import { useTranslation } from 'react-i18next';
import { navigate } from 'wouter/use-browser-location';
import { NO_SELECTION, selectionAtom } from '../../../convos/selection.ts';
import { useShowDialog } from '../../../dialogs/open-dialog.ts';
import { PROJECTS_PATH } from '../../../folders/project-paths.ts';
import { useSidebar } from '../../../layout/use-sidebar.ts';
import { DotsMenu, type DotsMenuProps } from '../../../ui/menu/dots-menu.tsx';
import { MenuRow } from '../../../ui/menu/menu-row.tsx';
import { showToast } from '../../../ui/toast/toast.ts';
import { showUndo } from '../../../ui/toast/undo.ts';
import { trpc } from '../../../trpc.ts';

/** What can be done with all conversations, in a menu that is mounted open. */
export function ListMenu({ buttonProps }: Pick<DotsMenuProps, 'buttonProps'>) {
  const { t } = useTranslation();
  const markAllRead = useMarkAllRead();
  const setSelection = useSetAtom(selectionAtom);
  const show = useShowDialog();
  const { isDrawer, close } = useSidebar();
  const openProjects = () => {
    navigate(PROJECTS_PATH);
    if (isDrawer) close();
  };
  return (
    <DotsMenu buttonProps={buttonProps} position="bottom-end" width={230}>
      <MenuRow icon={IconMailOpened} onClick={markAllRead}>
        {t('com_ui_mark_all_read')}
      </MenuRow>
      <MenuRow icon={IconSquareCheck} onClick={() => setSelection(NO_SELECTION)}>
        {t('com_palette_select')}
      </MenuRow>
      <MenuRow icon={IconFolderPlus} onClick={() => show({ name: 'folder', folder: null, convos: [] })}>
        {t('com_ui_folder_new')}
      </MenuRow>
      <MenuRow icon={IconFolders} onClick={openProjects}>
        {t('com_projects')}
      </MenuRow>
      <Menu.Divider />
      <MenuRow icon={IconArchive} onClick={() => show({ name: 'archive' })}>
        {t('com_archive')}
      </MenuRow>
      <MenuRow icon={IconTrash} onClick={() => show({ name: 'trash' })}>
        {t('com_bin')}
      </MenuRow>
    </DotsMenu>
  );
}

/** Returns a function that marks every convo as read, with an undo toast. The change feed updates the lists. */
function useMarkAllRead(): () => void {
  const { t } = useTranslation();
  const onError = () => showToast({ message: t('com_ui_mark_all_read_failed'), severity: 'error' });
  const unmark = trpc.convos.markUnread.useMutation({ onError });
  const { mutate } = trpc.convos.markAllRead.useMutation({
    onSuccess: ({ count, conversationIds }) => {
      if (count === 0) showToast({ message: t('com_ui_mark_all_read_none'), severity: 'info' });
      // An undo takes only so many.
      else if (count > conversationIds.length)
        showToast({ message: t('com_ui_marked_all_read', { count }), severity: 'success' });
      else showUndo(t('com_ui_marked_all_read', { count }), () => unmark.mutate({ conversationIds }));
    },
    onError,
  });
  return () => mutate();
}
