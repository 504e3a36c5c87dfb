import { IconFolderPlus, IconFolderX } from '@tabler/icons-react';
import { useSetAtom } from 'jotai';
import { useTranslation } from 'react-i18next';
import { isLoaded, selectionAtom } from '../convos/selection.ts';
import { DialogFrame } from '../dialogs/dialog-frame.tsx';
import { useShowDialog, type ConvoOrId } from '../dialogs/open-dialog.ts';
import { FolderIcon } from './folder-icon.tsx';
import classes from './folder.module.css';
import { useFolders, useMoveToFolder } from './use-folders.ts';
import { PlainButton } from '../ui/primitives/plain-button.tsx';

/** Moves convos into a folder, a new one, or out of theirs. That ends their selection. */
export function MoveDialog({ convos, onClose }: { convos: readonly ConvoOrId[]; onClose: () => void }) {
  const { t } = useTranslation();
  const folders = useFolders();
  const move = useMoveToFolder();
  const show = useShowDialog();
  const setSelection = useSetAtom(selectionAtom);
  const isIn = (id: string) => convos.every((convo) => isLoaded(convo) && convo.folderId === id);
  // One that is not loaded may be in a folder.
  const mayBeInFolder = convos.some((convo) => !isLoaded(convo) || convo.folderId !== null);

  function choose(folderId: string | null): void {
    onClose();
    setSelection(null);
    move(
      convos.map(({ conversationId }) => conversationId),
      folderId,
    );
  }

  return (
    <DialogFrame title={t('com_ui_folder_move')} onClose={onClose}>
      <ul className={classes.choices}>
        {folders.map(({ id, name, color }) => (
          <li key={id}>
            <PlainButton className={classes.choice} aria-pressed={isIn(id)} onClick={() => choose(id)}>
              <FolderIcon color={color} />
              <span dir="auto" data-tooltip={name} data-cut>
                {name}
              </span>
            </PlainButton>
          </li>
        ))}
        {mayBeInFolder && (
          <li>
            <PlainButton className={classes.choice} onClick={() => choose(null)}>
              <IconFolderX className={classes.folderIcon} aria-hidden />
              <span>{t('com_ui_folder_none')}</span>
            </PlainButton>
          </li>
        )}
        <li>
          <PlainButton className={classes.choice} onClick={() => show({ name: 'folder', folder: null, convos })}>
            <IconFolderPlus className={classes.folderIcon} aria-hidden />
            <span>{t('com_ui_folder_new')}</span>
          </PlainButton>
        </li>
      </ul>
    </DialogFrame>
  );
}
