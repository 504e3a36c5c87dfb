// The state of the side panel, kept between visits under the keys of existing clients. The first screen loads this file, so
// that the panel has its room before it arrives.
import { useMediaQuery } from '@mantine/hooks';
import { atom, getDefaultStore, useAtomValue, useSetAtom } from 'jotai';
import { openArtifactAtom } from '../content/artifacts/artifact-place.ts';
import { openFileAtom } from '../files/open-file.ts';
import { readStored, readText, writeText, writeStored } from '../lib/storage.ts';
import { onSettingWritten, settingAtom } from '../stored-settings.ts';
import { LAYOUT, nearestShare, readShare } from './panel-width.ts';

const FIRST_VISIT = 'newUser';
const ACTIVE = 'side:active-panel';
const IS_COLLAPSED = 'react-resizable-panels:collapsed';
const IS_HIDDEN = 'fullPanelCollapse';
/** Milliseconds without a change before the layout is stored. */
const SAVE_AFTER_MS = 350;
/** The breakpoint below which the panel covers the chat. */
const NARROW = '(max-width: 767px)';

export interface SidePanelState {
  /** It is a drawer over the chat, not a column with a strip of icons. */
  isNarrow: boolean;
  isOpen: boolean;
  /** There is no strip of icons, so that the menu of the chat opens it. */
  isHidden: boolean;
  /** A setting turns it off, with all that opens it. */
  isOff: boolean;
  /** The strip of icons is on the screen: no narrow one, nothing hides it, and no file or artifact stands in its place. */
  hasStrip: boolean;
  /** The width of the open column in percent of the chat's frame. */
  share: number;
  resize: (share: number) => void;
  /** Opens it with one of its panels, or with the one that was open last. */
  open: (entry?: string) => void;
  /** Leaves the strip of icons. */
  collapse: () => void;
  /** Leaves nothing on this screen. */
  hide: () => void;
}

const shareAtom = atom(readShare());
const collapsedAtom = atom(readFlag(IS_COLLAPSED, true));
const hiddenAtom = atom(readFlag(IS_HIDDEN, false));
/** Whether the drawer is open. Not stored: a page must not open behind its own panel. */
export const drawerAtom = atom(false);

/** The setting that turns off the side panel. */
export const hideSidePanelAtom = settingAtom('hideSidePanel');

// Turned on again, it comes back whole, however it was hidden.
onSettingWritten((name, value) => {
  if (name === 'hideSidePanel' && value === false) getDefaultStore().set(setHiddenAtom, false);
});

// Earlier versions stored it in quotes.
const active = atom(readText(ACTIVE)?.replaceAll('"', '') ?? '');
/** The name of the panel that was open last; it may be one that this chat does not have. */
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
  clearTimeout(saving);
  saving = setTimeout(() => writeStored(LAYOUT, [100 - share, share]), SAVE_AFTER_MS);
});

const setCollapsedAtom = atom(null, (_get, set, isCollapsed: boolean) => {
  set(collapsedAtom, isCollapsed);
  writeStored(IS_COLLAPSED, isCollapsed);
});

const setHiddenAtom = atom(null, (_get, set, isHidden: boolean) => {
  set(hiddenAtom, isHidden);
  writeStored(IS_HIDDEN, isHidden);
});

const openAtom = atom(null, (get, set, isNarrow: boolean, entry?: string) => {
  if (entry !== undefined) set(activeEntryAtom, entry);
  if (get(hideSidePanelAtom)) set(hideSidePanelAtom, false);
  writeStored(FIRST_VISIT, false);
  if (isNarrow) return set(drawerAtom, true);
  set(setHiddenAtom, false);
  set(setCollapsedAtom, false);
  // They take turns in one column.
  set(openArtifactAtom, null);
  set(openFileAtom, null);
});

/** Whether a file or an artifact stands in the column. */
const isTakenAtom = atom((get) => get(openArtifactAtom) !== null || get(openFileAtom) !== null);

export function useSidePanel(): SidePanelState {
  const isNarrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  const isOff = useAtomValue(hideSidePanelAtom);
  const isCollapsed = useAtomValue(collapsedAtom);
  const isHiddenHere = useAtomValue(hiddenAtom);
  const isTaken = useAtomValue(isTakenAtom);
  const isDrawn = useAtomValue(drawerAtom);
  const setDrawn = useSetAtom(drawerAtom);
  const setCollapsed = useSetAtom(setCollapsedAtom);
  const setHidden = useSetAtom(setHiddenAtom);
  const open = useSetAtom(openAtom);
  const isColumnOpen = !isHiddenHere && !isCollapsed && !isTaken;
  return {
    isNarrow,
    isOpen: !isOff && (isNarrow ? isDrawn : isColumnOpen),
    isHidden: isNarrow || isHiddenHere,
    isOff,
    hasStrip: !isOff && !isNarrow && !isHiddenHere && !isTaken,
    share: useAtomValue(shareAtom),
    resize: useSetAtom(resizeAtom),
    open: (entry) => open(isNarrow, entry),
    collapse: () => (isNarrow ? setDrawn(false) : setCollapsed(true)),
    hide() {
      setDrawn(false);
      setHidden(true);
    },
  };
}

/** Returns a function that turns the panel off, as its setting does, and returns what brings it back. */
export function useHidePanel(): () => () => void {
  const setHidden = useSetAtom(setHiddenAtom);
  const setOff = useSetAtom(hideSidePanelAtom);
  return () => {
    setHidden(true);
    setOff(true);
    return () => setOff(false);
  };
}

function readFlag(key: string, fallback: boolean): boolean {
  return readStored(key, fallback, (stored) => (typeof stored === 'boolean' ? stored : undefined));
}
