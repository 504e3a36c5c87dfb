// Files that are pasted into the message box or dropped on the page.
import { hasDialog } from './early-files.ts';
import { IconFileUpload } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { transferredFiles, hasFiles } from '../../files/upload/clipboard-files.ts';
import { removeNow } from '../../files/upload/remove-later.ts';
import { composerId } from '../../slots/focus-composer.ts';
import { useEventListener } from '../../ui/hooks/use-event-listener.ts';
import classes from './drop-target.module.css';
import { i18n } from '../../i18n.ts';
import { readSetting } from '../../stored-settings.ts';

/** Characters: about three pages, more than anybody edits in the message box. */
const LONG_CHARS = 8_000;

interface DropTargetProps {
  /** The slot's index. */
  index: number;
  /** The endpoint takes files. */
  isOffered: boolean;
  /** Attaches the files, or shows why that is not possible. */
  onFiles: (files: readonly File[]) => void;
}

/** Takes pasted and dropped files; while files are dragged over the page it covers the chat with an invitation. */
export function DropTarget({ index, isOffered, onFiles }: DropTargetProps) {
  const { t } = useTranslation();
  const isOver = useFileDrag(onFiles);

  useEffect(() => void removeNow(), []);

  useEventListener('paste', (event) => {
    const { target } = event;
    const isOther = target instanceof Element && target.closest('input, textarea, [contenteditable]');
    const isForBox = !isOther || isOther.id === composerId(index);
    const pasted = isOffered && isOther && isForBox ? pastedTextFile(event.clipboardData) : null;
    const files = pasted ? [pasted] : isForBox ? transferredFiles(event.clipboardData) : [];
    if (files.length === 0) return;
    event.preventDefault();
    onFiles(files);
  });

  // The pane, not the message box, is what it covers.
  const pane = document.getElementById(composerId(index))?.closest('form')?.parentElement;
  if (!isOver || !isOffered || !pane) return null;
  return createPortal(
    <div className={classes.overlay} data-testid="drop-overlay">
      <div className={classes.card}>
        <IconFileUpload aria-hidden />
        <strong>{t('com_files_drop_title')}</strong>
        <span>{t('com_files_drop_hint')}</span>
      </div>
    </div>,
    pane,
  );
}

/**
 * Whether files are being dragged over the page. Their drop never leaves the page, which a browser would do to open the
 * file.
 */
function useFileDrag(attach: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const drop = useEffectEvent(attach);
  useLayoutEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    document.addEventListener('dragover', onDragOver, { signal });
    document.addEventListener('dragleave', onDragLeave, { signal });
    document.addEventListener('drop', onDrop, { signal });
    return () => ending.abort();

    function onDragOver(event: DragEvent): void {
      if (!hasFiles(event.dataTransfer)) return;
      event.preventDefault();
      setOver(!hasDialog());
    }

    /** Without a related target, the pointer has left the window. */
    function onDragLeave({ relatedTarget }: DragEvent): void {
      if (relatedTarget === null) setOver(false);
    }

    function onDrop(event: DragEvent): void {
      setOver(false);
      if (!hasFiles(event.dataTransfer) || event.defaultPrevented) return;
      event.preventDefault();
      if (!hasDialog()) drop([...(event.dataTransfer?.files ?? [])]);
    }
  }, []);
  return isOver;
}

// A long text that is pasted becomes a file, which leaves the message box readable.

/** The pasted text as a file where it is long, and its person has not switched that off; else null. */
function pastedTextFile(data: DataTransfer | null): File | null {
  const text = data?.getData('text/plain') ?? '';
  if (text.length < LONG_CHARS || !readSetting('pasteAsFile')) return null;
  return new File([text], `${i18n.t('com_files_pasted')}.txt`, { type: 'text/plain' });
}
