import type { Folder } from '@parley/schema/convos/folders';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../dialogs/confirm-dialog.tsx';
import { useChangeFolders } from './use-folders.ts';

/** Confirms and deletes a folder, whose conversations stay. */
export function RemoveFolderDialog({ folder, onClose }: { folder: Folder; onClose: () => void }) {
  const { t } = useTranslation();
  const { remove } = useChangeFolders();
  return (
    <ConfirmDialog
      title={t('com_ui_folder_delete')}
      text={t('com_ui_folder_delete_confirm', { 0: folder.name })}
      verb={t('com_ui_delete')}
      onCancel={onClose}
      onConfirm={() => {
        onClose();
        remove({ id: folder.id });
      }}
    />
  );
}
