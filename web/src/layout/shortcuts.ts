// The global keyboard shortcuts: how they match and how they are displayed.

import type { TFunction } from 'i18next';

type Key = 'mod' | 'shift' | 'esc' | 'enter' | 'F8' | 'K' | 'O' | 'S' | 'Z' | '/';

export const SHORTCUTS = {
  palette: ['mod', 'K'],
  newChat: ['mod', 'shift', 'O'],
  sidebar: ['mod', 'shift', 'S'],
  composer: ['shift', 'esc'],
  shortcuts: ['mod', '/'],
  undo: ['mod', 'Z'],
  notice: ['F8'],
  escape: ['esc'],
} as const satisfies Record<string, readonly Key[]>;

export type Shortcut = keyof typeof SHORTCUTS;

/** The shortcut as displayed on this platform, such as "Ctrl K" or "⌘K"; keys have the names of the language. */
export function keysOf(keys: readonly Key[], t: TFunction): string {
  const isMac = /mac|iphone|ipad/i.test(navigator.platform);
  const names: Partial<Record<Key, string>> = isMac
    ? { mod: '⌘', shift: '⇧', esc: 'Esc', enter: '↵' }
    : { mod: t('com_key_ctrl'), shift: t('com_key_shift'), esc: 'Esc', enter: t('com_key_enter') };
  return keys.map((key) => names[key] ?? key).join(isMac ? '' : ' ');
}

/** Whether exactly this shortcut was pressed: by character or, in a non-Latin layout, by physical key. */
export function isPressed(event: KeyboardEvent, keys: readonly Key[]): boolean {
  const key = keys.at(-1) ?? '';
  // On layouts where the slash needs Shift, Shift is part of it.
  const isShiftRight = key === '/' || event.shiftKey === keys.includes('shift');
  const isModRight = (event.ctrlKey || event.metaKey) === keys.includes('mod');
  return isModRight && isShiftRight && !event.altKey && !event.isComposing && isKey(event, key);
}

function isKey({ key, code }: KeyboardEvent, wanted: string): boolean {
  if (key.toUpperCase() === wanted) return true;
  const isOtherScript = key.length === 1 && !/[\x20-\x7e]/.test(key);
  return isOtherScript && code === `Key${wanted}`;
}
