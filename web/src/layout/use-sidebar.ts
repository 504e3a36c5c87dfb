import { useMediaQuery } from '@mantine/hooks';
import { atom, useAtom } from 'jotai';
import { readStored, writeStored } from '../lib/storage.ts';

export interface Sidebar {
  /** The sidebar is a drawer over the chat, not a column next to it. */
  isDrawer: boolean;
  isOpen: boolean;
  toggle: () => void;
  close: () => void;
}

const KEY = 'navVisible';
/** The breakpoint at which the stylesheets turn the sidebar into a drawer. */
const DRAWER = '(max-width: 1000px)';

const columnAtom = atom(readStored(KEY, true, (stored) => (typeof stored === 'boolean' ? stored : undefined)));
/** Not stored: a page must not open behind its own menu. */
const drawerAtom = atom(false);

/** Whether the sidebar is visible: stored for the column, initially closed for the drawer. */
export function useSidebar(): Sidebar {
  const isDrawer = useMediaQuery(DRAWER, false, { getInitialValueInEffect: false });
  const [column, setColumn] = useAtom(columnAtom);
  const [drawer, setDrawer] = useAtom(drawerAtom);
  const isOpen = isDrawer ? drawer : column;

  function show(open: boolean): void {
    if (isDrawer) return setDrawer(open);
    setColumn(open);
    writeStored(KEY, open);
  }

  return { isDrawer, isOpen, toggle: () => show(!isOpen), close: () => show(false) };
}
