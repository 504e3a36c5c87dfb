// A file where there is no room beside the chat, or no chat.
import '@mantine/core/styles/Modal.css';
import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Overlay.css';
import '@mantine/core/styles/Paper.css';
import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useId } from 'react';
import type { CitedPassage, ViewedFile } from '../../dialogs/viewed-file.ts';
import { ROOM_FOR_COLUMN } from '../open-file.ts';
import { FileView } from './file-view.tsx';
import classes from './file-dialog.module.css';

interface FileDialogProps {
  file: ViewedFile;
  cited: CitedPassage | null;
  onClose: () => void;
}

/** Over the whole page on small screens. */
export function FileDialog({ file, cited, onClose }: FileDialogProps) {
  const titleId = useId();
  const hasRoom = useMediaQuery(ROOM_FOR_COLUMN, false, { getInitialValueInEffect: false });
  return (
    <Modal.Root
      opened
      fullScreen={!hasRoom}
      centered
      size="64rem"
      lockScroll={false}
      onClose={onClose}
      returnFocus={false}
      transitionProps={{ duration: 0 }}
    >
      <Modal.Overlay className={classes.overlay} />
      <Modal.Content aria-label={file.name} data-testid="file-panel">
        <div className={classes.content} data-whole={!hasRoom || undefined}>
          <FileView key={file.fileId} file={file} cited={cited} titleId={titleId} onClose={onClose} />
        </div>
      </Modal.Content>
    </Modal.Root>
  );
}
