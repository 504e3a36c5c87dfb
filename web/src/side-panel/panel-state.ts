// The state of the side panel. It belongs to the chat where it was opened; its width and section are kept between visits.
import { useMediaQuery } from '@mantine/hooks';
import { atom, useAtom, useAtomValue, useSetAtom } from 'jotai';
import { readText, writeText, writeStored } from '../lib/storage.ts';
import { settingAtom } from '../stored-settings.ts';
import { FIRST_SLOT, slotAtom } from '../slots/slot.ts';
import { LAYOUT, nearestShare, readShare } from './panel-width.ts';

const FIRST_VISIT = 'newUser';
const ACTIVE = 'side:active-panel';
/** Milliseconds without a change before the layout is stored. */
const SAVE_AFTER_MS = 350;
/** The breakpoint below which the panel covers the chat. */
const NARROW = '(max-width: 767px)';

export interface SidePanelState {
  /** It is a drawer over the chat, not a column next to it. */
  isNarrow: boolean;
  isOpen: boolean;
  /** Percent of the shared width. */
  share: number;
  resize: (share: number) => void;
  open: () => void;
  /** Nothing is left of it. */
  hide: () => void;
  toggle: () => void;
}

const shareAtom = atom(readShare());
/** The chat that it is open in. */
const openInAtom = atom<string | null>(null);

/** The setting that turns off the side panel. */
export const hideSidePanelAtom = settingAtom('hideSidePanel');

/** The stored name of the parameters section. */
export const PARAMETERS = 'parameters';
/** The stored name of the section of files. */
export const FILES = 'files';

// Earlier versions stored it in quotes, and also that none was unfolded.
const active = atom(readText(ACTIVE)?.replaceAll('"', '') === FILES ? FILES : PARAMETERS);
/** The unfolded section. */
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

export function useSidePanel(): SidePanelState {
  const isNarrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  const { conversationId } = useAtomValue(slotAtom(FIRST_SLOT));
  const [openIn, setOpenIn] = useAtom(openInAtom);
  const isOpen = openIn === conversationId;

  function open(): void {
    setOpenIn(conversationId);
    writeStored(FIRST_VISIT, false);
  }

  function hide(): void {
    setOpenIn(null);
  }

  return {
    isNarrow,
    isOpen,
    share: useAtomValue(shareAtom),
    resize: useSetAtom(resizeAtom),
    open,
    hide,
    toggle: () => (isOpen ? hide() : open()),
  };
}
