// The state of the side panel, kept between visits.
import { useMediaQuery } from '@mantine/hooks';
import { atom, useAtom, useAtomValue, useSetAtom } from 'jotai';
import { readText, writeText, writeStored } from '../lib/storage.ts';
import { settingAtom } from '../stored-settings.ts';
import { COLLAPSED, HIDDEN, LAYOUT, nearestShare, readHidden, readShare, SMALLEST } from './panel-width.ts';

const FIRST_VISIT = 'newUser';
const IS_COLLAPSED = 'react-resizable-panels:collapsed';
const ACTIVE = 'side:active-panel';
/** Milliseconds without a change before the layout is stored. */
const SAVE_AFTER_MS = 350;
/** The breakpoint below which the panel covers the chat. The stylesheets repeat it. */
const NARROW = '(max-width: 767px)';

export interface SidePanelState {
  /** It is a drawer over the chat, not a column next to it. */
  isNarrow: boolean;
  /** As a drawer: it is visible. As a column: it is wider than its buttons. */
  isOpen: boolean;
  /** Nothing is visible except the button that shows it again. */
  isHidden: boolean;
  /** Percent of the shared width. */
  share: number;
  resize: (share: number) => void;
  open: () => void;
  /** Hides it completely. */
  hide: () => void;
  toggle: () => void;
}

const shareAtom = atom(readShare());
const hiddenAtom = atom(readHidden());
/** Not stored: a page must not open behind its own panel. */
const drawerAtom = atom(false);
const lastOpenShareAtom = atom(Math.max(SMALLEST, readShare()));

/** The setting that turns off the side panel. */
export const hideSidePanelAtom = settingAtom('hideSidePanel');

/** The stored name of the parameters section. */
export const PARAMETERS = 'parameters';
/** The stored name of the section of files. */
export const FILES = 'files';

// Earlier versions stored it in quotes.
const active = atom(readText(ACTIVE)?.replaceAll('"', '') ?? PARAMETERS);
/** The expanded section; empty for none. */
export const activeEntryAtom = atom(
  (get) => get(active),
  (_get, set, entry: string) => {
    set(active, entry);
    writeText(ACTIVE, entry);
  },
);

let saving: ReturnType<typeof setTimeout> | undefined;

const resizeAtom = atom(null, (get, set, wanted: number) => {
  const share = nearestShare(wanted);
  if (share === get(shareAtom)) return;
  set(shareAtom, share);
  if (share !== COLLAPSED) {
    set(lastOpenShareAtom, share);
    writeStored(FIRST_VISIT, false);
  }
  writeStored(IS_COLLAPSED, share === COLLAPSED);
  clearTimeout(saving);
  saving = setTimeout(() => writeStored(LAYOUT, [100 - share, share]), SAVE_AFTER_MS);
});

const hideAtom = atom(null, (_get, set, isHidden: boolean) => {
  set(hiddenAtom, isHidden);
  writeStored(HIDDEN, isHidden);
});

export function useSidePanel(): SidePanelState {
  const isNarrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  const share = useAtomValue(shareAtom);
  const isHidden = useAtomValue(hiddenAtom);
  const lastOpenShare = useAtomValue(lastOpenShareAtom);
  const [drawer, setDrawer] = useAtom(drawerAtom);
  const resize = useSetAtom(resizeAtom);
  const setHidden = useSetAtom(hideAtom);
  const isOpen = isNarrow ? drawer : !isHidden && share !== COLLAPSED;

  function open(): void {
    setHidden(false);
    if (!isNarrow) return resize(lastOpenShare);
    setDrawer(true);
    writeStored(FIRST_VISIT, false);
  }

  function hide(): void {
    setDrawer(false);
    setHidden(true);
    resize(COLLAPSED);
  }

  return {
    isNarrow,
    isOpen,
    isHidden: isHidden || isNarrow,
    share,
    resize,
    open,
    hide,
    toggle: () => (isOpen ? hide() : open()),
  };
}
