import { useTranslation } from 'react-i18next';
import { DialogFrame } from '../dialogs/dialog-frame.tsx';
import { FilesTable } from './files-table.tsx';
import { WithGallery } from './picture-gallery.tsx';

/** The user's files: to find, download and delete them. */
export function FilesDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <DialogFrame title={t('com_files')} size="60rem" onClose={onClose}>
      <WithGallery>
        <FilesTable onLeave={onClose} />
      </WithGallery>
    </DialogFrame>
  );
}
