import { useMediaQuery } from '@mantine/hooks';
import { atom, useAtom } from 'jotai';
import { readStored, writeStored } from '../../lib/persist.ts';

export interface Sidebar {
  /** The sidebar is a drawer over the chat, not a column beside it. */
  isDrawer: boolean;
  isOpen: boolean;
  toggle: () => void;
  close: () => void;
}

const KEY = 'navVisible';
/** Where the stylesheets turn the sidebar into a drawer, too. */
const DRAWER = '(max-width: 768px)';

const columnAtom = atom(readStored(KEY, true, (stored) => (typeof stored === 'boolean' ? stored : undefined)));
/** Not remembered: a page that opens behind its own menu helps nobody. */
const drawerAtom = atom(false);

/** Whether the sidebar shows: remembered as a column, always closed at first as a drawer. */
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
