import { useMediaQuery } from '@mantine/hooks';
import { atom, useAtom, useStore } from 'jotai';
import { useEffect, useEffectEvent, useId, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { openDialogAtom } from '../../dialogs/open-dialog.ts';
import { readStored, writeStored } from '../../lib/storage.ts';
import { Resizer } from '../../ui/resizer/resizer.tsx';
import { openFileAtom, ROOM_FOR_COLUMN } from '../open-file.ts';
import { FileView } from './file-view.tsx';
import classes from './file-column.module.css';

/** Percent of the width that chat and file share; kept as the layout of this device. */
const SHARE_MIN = 30;
const SHARE_MAX = 70;
const USUAL_SHARE = 50;
const WIDTH = 'react-resizable-panels:file';

const shareAtom = atom(
  readStored(WIDTH, USUAL_SHARE, (stored) => (typeof stored === 'number' ? bounded(stored) : undefined)),
);

/** The open file beside the chat. It closes when another conversation is opened, and is a dialog once the room is gone. */
export function FileColumn({ conversationId }: { conversationId: string }) {
  const { t } = useTranslation();
  const titleId = useId();
  const columnId = useId();
  const column = useRef<HTMLElement>(null);
  const store = useStore();
  const [open, setOpen] = useAtom(openFileAtom);
  const [share, setShare] = useAtom(shareAtom);
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

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    event.stopPropagation();
    close();
  }

  function resize(wanted: number): void {
    const next = bounded(wanted);
    setShare(next);
    writeStored(WIDTH, next);
  }

  if (!open) return null;
  return (
    // Only handles what bubbles up from its controls.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <aside
      ref={column}
      id={columnId}
      className={classes.column}
      style={{ inlineSize: `${share}%` }}
      aria-labelledby={titleId}
      data-testid="file-panel"
      onKeyDown={onKeyDown}
    >
      <Resizer
        column={column}
        columnId={columnId}
        label={t('com_viewer_resize')}
        share={share}
        smallest={SHARE_MIN}
        largest={SHARE_MAX}
        onResize={resize}
      />
      {/* Another passage of the same file is another view. */}
      <FileView
        key={`${open.file.fileId} ${open.cited?.n} ${open.cited?.quote}`}
        file={open.file}
        cited={open.cited}
        titleId={titleId}
        onClose={close}
      />
    </aside>
  );
}

function bounded(share: number): number {
  return Math.min(SHARE_MAX, Math.max(SHARE_MIN, share));
}

/** Calls `end` once another conversation is on screen. */
function useEndWith(conversationId: string, end: () => void): void {
  const [first] = useState(conversationId);
  const onEnd = useEffectEvent(end);
  useEffect(() => {
    if (conversationId !== first) onEnd();
  }, [conversationId, first]);
}
