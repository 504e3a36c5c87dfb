import { useAtom } from 'jotai';
import { useEffect, useRef } from 'react';
import { openDialogAtom } from '../dialogs/open-dialog.ts';
import { LazyBoundary } from '../ui/lazy/lazy-boundary.tsx';
import { fileDialog, lightbox } from '../files/lazy-viewers.ts';

/** The large view of images and files: the only dialogs of a page without those of signed-in people. */
export function SharedLightbox() {
  const [open, setOpen] = useAtom(openDialogAtom);
  const opener = useRef<Element | null>(null);
  useEffect(() => {
    if (open) opener.current = open.opener;
    else if (opener.current instanceof HTMLElement) opener.current.focus();
  }, [open]);
  const close = () => setOpen(null);
  if (open?.dialog.name === 'file')
    return (
      <LazyBoundary onFailure={close}>
        <fileDialog.Screen file={open.dialog.file} cited={open.dialog.cited} onClose={close} />
      </LazyBoundary>
    );
  if (open?.dialog.name !== 'picture') return null;
  const { images, index } = open.dialog;
  return (
    <LazyBoundary onFailure={close}>
      <lightbox.Screen images={images} index={index} onClose={close} />
    </LazyBoundary>
  );
}
