// The global keyboard shortcuts: their usual keys, how they match and how they are displayed.
import { typedKeys } from '@parley/schema/entries';
import type { TFunction } from 'i18next';

/**
 * Modifiers (`mod` is Ctrl or Cmd), then the key as the keyboard names it: a letter is a capital, a sign is the one without
 * Shift. None: the shortcut is off.
 */
export type Keys = readonly string[];

export const SHORTCUTS = {
  palette: ['mod', 'K'],
  newChat: ['mod', 'shift', 'O'],
  temporary: ['mod', 'shift', "'"],
  find: ['mod', 'F'],
  print: ['mod', 'P'],
  models: ['mod', 'shift', 'M'],
  sidebar: ['mod', 'shift', 'S'],
  composer: ['shift', 'Escape'],
  copyAnswer: ['mod', 'shift', 'C'],
  copyCode: ['mod', 'shift', ';'],
  removeChat: ['mod', 'shift', 'Backspace'],
  undo: ['mod', 'Z'],
  notice: ['F8'],
  settings: ['mod', ','],
  shortcuts: ['mod', '/'],
} as const satisfies Record<string, Keys>;

export type Shortcut = keyof typeof SHORTCUTS;

export const SHORTCUT_NAMES = typedKeys(SHORTCUTS);

export function isSameKeys(some: Keys, others: Keys): boolean {
  return some.join('+') === others.join('+');
}

/** The shortcut as displayed on this platform, such as "Ctrl K" or "⌘K"; keys have the names of the language. */
export function shownKeys(keys: Keys, t: TFunction): string {
  const isMac = isApple();
  const names: Readonly<Record<string, string>> = isMac
    ? { mod: '⌘', shift: '⇧', alt: '⌥', Escape: 'Esc', Enter: '↵', Backspace: '⌫' }
    : { mod: t('com_key_ctrl'), shift: t('com_key_shift'), alt: 'Alt', Escape: 'Esc', Enter: t('com_key_enter') };
  return keys.map((key) => names[key] ?? key).join(isMac ? '' : ' ');
}

/** For an element that does what a shortcut does: its tooltip names the keys, as they are bound. */
export function withKeys(name: Shortcut) {
  return { 'data-shortcut': name };
}

function isApple(): boolean {
  return /mac|iphone|ipad/i.test(navigator.platform);
}

/** Whether exactly this shortcut was pressed: by character or by the physical key of the layout that names it. */
export function isPressed(event: KeyboardEvent, keys: Keys): boolean {
  const key = keys.at(-1);
  if (key === undefined || event.isComposing || isTyping(event)) return false;
  // On layouts where a sign needs Shift, Shift is part of it.
  const isShiftRight = event.shiftKey === keys.includes('shift') || (isSign(key) && event.key === key);
  const isModRight = (event.ctrlKey || event.metaKey) === keys.includes('mod');
  return isModRight && isShiftRight && event.altKey === keys.includes('alt') && isKey(event, key);
}

/** The physical keys of signs, by the sign on a US keyboard. */
const SIGNS: Readonly<Record<string, string>> = {
  Backquote: '`',
  Minus: '-',
  Equal: '=',
  BracketLeft: '[',
  BracketRight: ']',
  Backslash: '\\',
  Semicolon: ';',
  Quote: "'",
  Comma: ',',
  Period: '.',
  Slash: '/',
};

/** The name of a physical key: `KeyO` is O, `Digit1` is 1, `Quote` is '. */
export function nameOfCode(code: string): string | undefined {
  return /^(?:Key|Digit)(.)$/.exec(code)?.[1] ?? SIGNS[code];
}

function isKey({ key, code, shiftKey, altKey }: KeyboardEvent, wanted: string): boolean {
  if (key === wanted || key.toUpperCase() === wanted || code === wanted) return true;
  // With Shift or Alt another character is on the key; letters of other scripts are on the keys of Latin ones.
  const isOtherLevel = (shiftKey || altKey) && (isSign(wanted) || /\d/.test(wanted));
  return (isOtherLevel || isOtherScript(key)) && nameOfCode(code) === wanted;
}

export function isOtherScript(key: string): boolean {
  return key.length === 1 && !/[\x20-\x7e]/.test(key);
}

function isSign(key: string): boolean {
  return key.length === 1 && !/[A-Z0-9]/.test(key);
}

/** AltGr types a character, though it counts as Ctrl and Alt. */
function isTyping(event: KeyboardEvent): boolean {
  return event.getModifierState('AltGraph');
}
