// New keys for a shortcut: what was pressed, and why it cannot be taken.
import type { BoundKeys } from '../../layout/bound-keys.ts';
import {
  isOtherScript,
  isSameKeys,
  nameOfCode,
  SHORTCUT_NAMES,
  SHORTCUTS,
  type Keys,
  type Shortcut,
} from '../../layout/shortcuts.ts';

const MODIFIERS = ['Control', 'Meta', 'Shift', 'Alt', 'AltGraph', 'CapsLock', 'Fn', 'Dead', 'Process', 'Unidentified'];

/** The keys of a press; null while only modifiers are down, and for what types a character by AltGr. */
export function readPress(event: KeyboardEvent): Keys | null {
  const { key, code, ctrlKey, metaKey, shiftKey, altKey } = event;
  if (MODIFIERS.includes(key) || event.isComposing || event.getModifierState('AltGraph')) return null;
  const isLevelled = shiftKey || altKey || isOtherScript(key) || key === '+';
  const name = /^[a-z]$/i.test(key)
    ? key.toUpperCase()
    : isLevelled && key.length === 1
      ? (nameOfCode(code) ?? key)
      : key;
  const modifiers = [ctrlKey || metaKey ? 'mod' : '', altKey ? 'alt' : '', shiftKey ? 'shift' : ''];
  return [...modifiers.filter((one) => one !== ''), name === ' ' ? 'Space' : name];
}

export type KeysProblem = 'com_shortcuts_reserved' | 'com_shortcuts_alone';

/** Browsers keep these for windows, tabs and the address, or text fields need them. */
const RESERVED = 'T N W Q R L F P A C V X Y Z Enter Tab Backspace Delete Home End'
  .concat(' + - = 0 F4 F5 Space ArrowLeft ArrowRight ArrowUp ArrowDown')
  .split(' ')
  .map((key) => `mod+${key}`);
const RESERVED_SHIFTED = 'T N W Q R Z V I J Tab Enter Delete ArrowLeft ArrowRight'
  .split(' ')
  .map((key) => `mod+shift+${key}`);
const RESERVED_ALONE = 'F1 F3 F5 F6 F7 F10 F11 F12 shift+F10 alt+F4 alt+Tab'.split(' ');
const REFUSED = new Set([...RESERVED, ...RESERVED_SHIFTED, ...RESERVED_ALONE]);

/** The sentence that says why these keys are not for a shortcut; its usual keys always are. */
export function keysProblem(keys: Keys, name: Shortcut): KeysProblem | null {
  if (isSameKeys(keys, SHORTCUTS[name])) return null;
  if (REFUSED.has(keys.join('+'))) return 'com_shortcuts_reserved';
  const isEnough = keys.includes('mod') || keys.includes('alt') || /^F\d+$/.test(keys.at(-1) ?? '');
  return isEnough || keys.join('+') === 'shift+Escape' ? null : 'com_shortcuts_alone';
}

/** The shortcut that has these keys already. */
export function findConflict(pressed: Keys, name: Shortcut, bound: BoundKeys): Shortcut | undefined {
  return SHORTCUT_NAMES.find((other) => other !== name && isSameKeys(bound[other], pressed));
}
