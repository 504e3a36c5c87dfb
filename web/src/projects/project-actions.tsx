import type { Folder } from '@parley/schema/convos/folders';
import { IconEdit, IconPencil } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useShowDialog } from '../dialogs/open-dialog.ts';
import { useChatInFolder } from '../folders/use-chat-in-folder.ts';
import { focusIfLost } from '../lib/focus-if-lost.ts';
import { Button } from '../ui/button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { ButtonRow } from '../ui/primitives/button-row.tsx';

/** The buttons at the title of a project. */
export function ProjectActions({ folder }: { folder: Folder }) {
  const { t } = useTranslation();
  const show = useShowDialog();
  const startChat = useChatInFolder();
  return (
    <ButtonRow>
      <Button ref={focusIfLost} variant="filled" onClick={() => startChat(folder)}>
        <IconEdit aria-hidden />
        {t('com_project_new_chat')}
      </Button>
      <IconButton label={t('com_ui_folder_edit')} onClick={() => show({ name: 'folder', folder, convos: [] })}>
        <IconPencil aria-hidden />
      </IconButton>
    </ButtonRow>
  );
}
