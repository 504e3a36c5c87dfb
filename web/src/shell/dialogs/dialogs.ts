// Which dialog is open. One at a time, whoever asked for it: a row, a menu, the palette or a key.
import type { Preset } from '@parley/schema/presets';
import { atom, useSetAtom } from 'jotai';
import type { PresetDraft } from '../../presets/preset-draft.ts';
import type { Chosen } from '../convos/selection.ts';

export type Dialog =
  | { name: 'palette' }
  | { name: 'shortcuts' }
  | { name: 'bin' }
  | { name: 'archive' }
  | { name: 'export'; conversationId: string }
  | { name: 'import' }
  | { name: 'remove'; convos: readonly Chosen[] }
  | { name: 'clear' }
  /** Of an endpoint. */
  | { name: 'key'; endpoint: string }
  | { name: 'preset'; draft: PresetDraft }
  | { name: 'remove-preset'; preset: Preset }
  | { name: 'clear-presets' }
  | { name: 'settings' };

interface OpenDialog {
  dialog: Dialog;
  /** What had the focus when the first of the dialogs came up. */
  asker: Element | null;
}

export const openDialogAtom = atom<OpenDialog | null>(null);

/** Whether the code of the dialog that is open has come. */
export const isDialogThereAtom = atom(false);
/** Whether a dialog is on screen. */
export const hasDialogAtom = atom((get) => get(openDialogAtom) !== null && get(isDialogThereAtom));

/** Opens a dialog, in the place of one that is open. */
const showDialogAtom = atom(null, (get, set, dialog: Dialog) => {
  set(openDialogAtom, { dialog, asker: get(openDialogAtom)?.asker ?? document.activeElement });
});

/** Closes a dialog that is open by this name, else opens it. */
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
