import { useAtom } from 'jotai';
import { useState } from 'react';
import { Arriving } from '../../lib/arriving.tsx';
import { lazyScreen } from '../../lib/lazy-screen.tsx';
import type { PreloadedDialog } from './dialog-host.tsx';
import { openDialogAtom } from './dialogs.ts';

const readHost = () => import('./dialog-host.tsx');
const host = lazyScreen(async () => (await readHost()).DialogHost, 'ahead');

/** Where dialogs appear. What knows them comes with the first one, and stays to hand the focus back. */
export function DialogPlace() {
  const [open, setOpen] = useAtom(openDialogAtom);
  const isOpen = open !== null;
  const [isWanted, setWanted] = useState(isOpen);
  if (isOpen && !isWanted) setWanted(true);
  if (!isWanted) return null;
  return (
    <Arriving onFailure={() => setOpen(null)}>
      <host.Screen />
    </Arriving>
  );
}

/** Fetches a dialog that may be wanted soon. A failure is met again when it is wanted. */
export function preloadDialog(name: PreloadedDialog): void {
  host
    .load()
    .then(readHost)
    .then(({ loadDialog }) => loadDialog(name))
    .catch(() => undefined);
}
