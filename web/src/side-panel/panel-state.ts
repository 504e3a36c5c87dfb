// What the side panel shows, kept between visits.
import { useMediaQuery } from '@mantine/hooks';
import { atom, useAtom, useAtomValue, useSetAtom } from 'jotai';
import { readStored, writeStored } from '../lib/persist.ts';
import {
  COLLAPSED,
  HIDDEN,
  HIDDEN_BY_SETTING,
  LAYOUT,
  nearestShare,
  readFlag,
  readShare,
  SMALLEST,
} from './panel-share.ts';

const FIRST_VISIT = 'newUser';
const IS_COLLAPSED = 'react-resizable-panels:collapsed';
const ACTIVE = 'side:active-panel';
/** Milliseconds of rest after which the layout is written down. */
const SAVE_AFTER = 350;
/** Where the panel lies over the chat. The style sheets know it, too. */
const NARROW = '(max-width: 767px)';

export interface SidePanelState {
  /** It is a drawer over the chat, not a column beside it. */
  isNarrow: boolean;
  /** As a drawer: it is there. As a column: it is wider than its buttons. */
  isOpen: boolean;
  /** Nothing of it is seen, but for the button that brings it back. */
  isHidden: boolean;
  /** Percent of the column. */
  share: number;
  resize: (share: number) => void;
  open: () => void;
  /** The column keeps its buttons; the drawer goes. */
  close: () => void;
  /** Out of sight. */
  hide: () => void;
  toggle: () => void;
}

const shareAtom = atom(readShare());
const hiddenAtom = atom(readFlag(HIDDEN, false));
/** Not remembered: a page that opens behind its own panel helps nobody. */
const drawerAtom = atom(false);
const lastOpenShareAtom = atom(Math.max(SMALLEST, readShare()));

const hiddenBySetting = atom(readFlag(HIDDEN_BY_SETTING, false));
/** The setting that there be no side panel at all. */
export const hideSidePanelAtom = atom(
  (get) => get(hiddenBySetting),
  (_get, set, isHidden: boolean) => {
    set(hiddenBySetting, isHidden);
    writeStored(HIDDEN_BY_SETTING, isHidden);
  },
);

/** The entry with the parameters, as it is remembered. */
export const PARAMETERS = 'parameters';

const active = atom(readStored(ACTIVE, PARAMETERS, (stored) => (typeof stored === 'string' ? stored : undefined)));
/** The entry that is unfolded; empty for none. */
export const activeEntryAtom = atom(
  (get) => get(active),
  (_get, set, entry: string) => {
    set(active, entry);
    writeStored(ACTIVE, entry);
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
  saving = setTimeout(() => writeStored(LAYOUT, [100 - share, share]), SAVE_AFTER);
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

  function close(): void {
    if (isNarrow) hide();
    else resize(COLLAPSED);
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
    close,
    hide,
    toggle: () => (isOpen ? close() : open()),
  };
}
