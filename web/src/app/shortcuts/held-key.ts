import { atom } from 'jotai';
import type { Shortcut } from '../../layout/shortcuts.ts';

/** The shortcuts whose code loads once one can type. */
export const LATER_SHORTCUTS = [
  'find',
  'print',
  'models',
  'temporary',
  'removeChat',
  'copyAnswer',
  'copyCode',
] as const satisfies readonly Shortcut[];

/** One of them that was pressed before its code has loaded; it acts then. */
export const heldKeyAtom = atom<KeyboardEvent | null>(null);
