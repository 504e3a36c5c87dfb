// The open dialog. One at a time, whether a row, a menu, the palette or a shortcut opened it.
import type { ImagePart } from '@parley/schema/messages/messages';
import type { Preset } from '@parley/schema/settings/presets';
import { atom, useSetAtom } from 'jotai';
import type { Folder } from '@parley/schema/convos/folders';
import type { Convo } from '@parley/schema/convos/convos';
import { personalAtom } from '../lib/personal-data.ts';
import type { CitedPassage, ViewedFile } from './viewed-file.ts';
import type { PresetDraft } from '../catalog/preset-draft.ts';

/** Where in the settings: a tab or a search, and the row whose button has the focus. */
export interface SettingsTarget {
  tab: string;
  query?: string;
  row?: string;
}

/** A convo, or the id of one that is not loaded. */
export type ConvoOrId = Convo | Pick<Convo, 'conversationId'>;

export type Dialog = NamedDialog & {
  /** The dialog that is shown again once this one is closed. */
  back?: Dialog | undefined;
};

type NamedDialog =
  | { name: 'palette' }
  | { name: 'shortcuts' }
  | { name: 'trash' }
  | { name: 'archive' }
  | { name: 'export'; conversationId: string }
  | { name: 'share'; conversationId: string }
  | { name: 'import' }
  | { name: 'remove'; convos: readonly ConvoOrId[] }
  | { name: 'clear' }
  /** The name of an endpoint. */
  | { name: 'key'; endpoint: string }
  | { name: 'preset'; draft: PresetDraft }
  | { name: 'remove-preset'; preset: Preset }
  | { name: 'clear-presets' }
  /** A new folder (null), into which the convos move; or an existing one. */
  | { name: 'folder'; folder: Folder | null; convos: readonly ConvoOrId[] }
  | { name: 'remove-folder'; folder: Folder }
  | { name: 'move'; convos: readonly ConvoOrId[] }
  | { name: 'settings'; at?: SettingsTarget }
  | { name: 'files' }
  /** `asked` is the key of a tool whose values are asked for at once. */
  | { name: 'plugins'; asked?: string }
  | { name: 'file'; file: ViewedFile; cited: CitedPassage | null }
  | { name: 'picture'; images: readonly ImagePart[]; index: number }
  /** The number of questions that a sign-out loses. */
  | { name: 'sign-out'; unsent: number };

interface OpenDialog {
  dialog: Dialog;
  /** The element that had the focus when the first dialog opened. */
  opener: Element | null;
}

export const openDialogAtom = personalAtom<OpenDialog | null>(() => null);

/** Whether the chunk of the open dialog has loaded. */
export const isDialogLoadedAtom = atom(false);
/** Whether a dialog is on screen. */
export const hasDialogAtom = atom((get) => get(openDialogAtom) !== null && get(isDialogLoadedAtom));

/** Opens a dialog, replacing an open one. */
const showDialogAtom = atom(null, (get, set, dialog: Dialog) => {
  set(openDialogAtom, { dialog, opener: get(openDialogAtom)?.opener ?? document.activeElement });
});

/** Toggles a dialog by its name. */
const toggleDialogAtom = atom(null, (get, set, dialog: Dialog) => {
  if (get(openDialogAtom)?.dialog.name === dialog.name) set(openDialogAtom, null);
  else set(showDialogAtom, dialog);
});

export function useShowDialog(): (dialog: Dialog) => void {
  return useSetAtom(showDialogAtom);
}

export function useToggleDialog(): (dialog: Dialog) => void {
  return useSetAtom(toggleDialogAtom);
}
