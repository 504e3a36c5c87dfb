import { useAtom } from 'jotai';
import { useState } from 'react';
import { LazyBoundary } from '../../ui/lazy/lazy-boundary.tsx';
import { lazyScreen } from '../../ui/lazy/lazy-screen.tsx';
import type { PreloadedDialog } from './dialog-host.tsx';
import { openDialogAtom } from '../../dialogs/open-dialog.ts';

const readHost = () => import('./dialog-host.tsx');
const host = lazyScreen(async () => (await readHost()).DialogHost, 'ahead');

/** Mounts the dialog host. Its code loads with the first dialog, and it stays mounted to restore the focus. */
export function DialogOutlet() {
  const [open, setOpen] = useAtom(openDialogAtom);
  const isOpen = open !== null;
  const [isWanted, setWanted] = useState(isOpen);
  if (isOpen && !isWanted) setWanted(true);
  if (!isWanted) return null;
  return (
    <LazyBoundary onFailure={() => setOpen(null)}>
      <host.Screen />
    </LazyBoundary>
  );
}

/** Preloads a dialog. Ignores a failure: opening the dialog tries again and reports it. */
export function preloadDialog(name: PreloadedDialog): void {
  host
    .load()
    .then(readHost)
    .then(({ loadDialog }) => loadDialog(name))
    .catch(() => undefined);
}
