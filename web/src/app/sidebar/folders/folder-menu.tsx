import { Menu } from '@mantine/core';
import type { Folder } from '@parley/schema/convos/folders';
import { IconEdit, IconFolderOpen, IconPencil, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { navigate } from 'wouter/use-browser-location';
import { useShowDialog, type Dialog } from '../../../dialogs/open-dialog.ts';
import { projectPath } from '../../../folders/project-paths.ts';
import { useChatInFolder } from '../../../folders/use-chat-in-folder.ts';
import { useSidebar } from '../../../layout/use-sidebar.ts';
import { MenuRow } from '../../../ui/menu/menu-row.tsx';
import { useMenu } from '../../../ui/menu/use-menu.ts';
import { MoreButton } from '../more-button.tsx';

/** The menu of a folder, mounted open. */
export function OpenFolderMenu({ folder }: { folder: Folder }) {
  const { t } = useTranslation();
  const { button, focusButton, menu, dropdown } = useMenu();
  const showDialog = useShowDialog();
  const startChat = useChatInFolder();
  const { isDrawer, close } = useSidebar();

  function open(): void {
    navigate(projectPath(folder.id));
    if (isDrawer) close();
  }

  /** The dialog returns the focus to what had it: the button, since the menu goes. */
  function show(dialog: Dialog): void {
    focusButton();
    showDialog(dialog);
  }

  return (
    <Menu {...menu} position="bottom-end" width={190}>
      <Menu.Target>
        <MoreButton ref={button} name={folder.name} />
      </Menu.Target>
      <Menu.Dropdown {...dropdown}>
        <MenuRow icon={IconEdit} onClick={() => startChat(folder)}>
          {t('com_ui_folder_new_chat')}
        </MenuRow>
        <MenuRow icon={IconFolderOpen} onClick={open}>
          {t('com_project_open')}
        </MenuRow>
        <MenuRow icon={IconPencil} onClick={() => show({ name: 'folder', folder, convos: [] })}>
          {t('com_ui_folder_edit')}
        </MenuRow>
        <Menu.Divider />
        <MenuRow icon={IconTrash} onClick={() => show({ name: 'remove-folder', folder })}>
          {t('com_ui_delete')}
        </MenuRow>
      </Menu.Dropdown>
    </Menu>
  );
}
