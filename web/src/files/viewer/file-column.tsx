import { useMediaQuery } from '@mantine/hooks';
import { useAtom, useStore } from 'jotai';
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { openDialogAtom } from '../../dialogs/open-dialog.ts';
import { createColumnShare, SideColumn } from '../../ui/resizer/side-column.tsx';
import { openFileAtom, ROOM_FOR_COLUMN } from '../open-file.ts';
import { FileView } from './file-view.tsx';

const width = createColumnShare('file');

/** The open file beside the chat. It closes when another conversation is opened, and is a dialog once the room is gone. */
export function FileColumn({ conversationId }: { conversationId: string }) {
  const { t } = useTranslation();
  const titleId = useId();
  const column = useRef<HTMLElement>(null);
  const store = useStore();
  const [open, setOpen] = useAtom(openFileAtom);
  const hasRoom = useMediaQuery(ROOM_FOR_COLUMN, true, { getInitialValueInEffect: false });
  useEndWith(conversationId, () => setOpen(null));

  const moveToDialog = useEffectEvent(() => {
    if (!open) return;
    const { file, cited, opener } = open;
    store.set(openDialogAtom, { dialog: { name: 'file', file, cited }, opener });
    setOpen(null);
  });
  useEffect(() => {
    if (!hasRoom) moveToDialog();
  }, [hasRoom]);

  function close(): void {
    setOpen(null);
    if (open?.opener instanceof HTMLElement && open.opener.isConnected) open.opener.focus({ preventScroll: true });
  }

  if (!open) return null;
  return (
    <SideColumn
      column={column}
      width={width}
      resizeLabel={t('com_viewer_resize')}
      titleId={titleId}
      testId="file-panel"
      onEscape={close}
    >
      {/* Another passage of the same file is another view. */}
      <FileView
        key={`${open.file.fileId} ${open.cited?.n} ${open.cited?.quote}`}
        file={open.file}
        cited={open.cited}
        titleId={titleId}
        onClose={close}
      />
    </SideColumn>
  );
}

/** Calls `end` once another conversation is on screen. */
function useEndWith(conversationId: string, end: () => void): void {
  const [first] = useState(conversationId);
  const onEnd = useEffectEvent(end);
  useEffect(() => {
    if (conversationId !== first) onEnd();
  }, [conversationId, first]);
}
