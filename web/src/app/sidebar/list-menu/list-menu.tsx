import { Menu } from '@mantine/core';
import { IconArchive, IconFolderPlus, IconMailOpened, IconSquareCheck, IconTrash } from '@tabler/icons-react';
import { useSetAtom } from 'jotai';
import { useTranslation } from 'react-i18next';
import { useMarkAllRead } from '../../../convos/actions/use-mark-all-read.ts';
import { NO_SELECTION, selectionAtom } from '../../../convos/selection.ts';
import { useShowDialog } from '../../../dialogs/open-dialog.ts';
import { DotsMenu, type DotsMenuProps } from '../../../ui/menu/dots-menu.tsx';
import { MenuRow } from '../../../ui/menu/menu-row.tsx';

/** What can be done with all conversations, in a menu that is mounted open. */
export function ListMenu({ buttonProps }: Pick<DotsMenuProps, 'buttonProps'>) {
  const { t } = useTranslation();
  const markAllRead = useMarkAllRead();
  const setSelection = useSetAtom(selectionAtom);
  const show = useShowDialog();
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
