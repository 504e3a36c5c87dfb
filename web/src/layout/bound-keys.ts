// Tests of this room: tests/unit/web/shortcuts, tests/unit/web/sidebar.

// The keys of the shortcuts as this person has them: the usual ones, or those of the settings, where they are kept as text
// (`newChat=mod+shift+X sidebar=`; a shortcut without keys is off).
import { recordBy } from '@parley/schema/entries';
import { atom, getDefaultStore } from 'jotai/vanilla';
import { settingAtom } from '../stored-settings.ts';
import { isSameKeys, SHORTCUT_NAMES, SHORTCUTS, type Keys, type Shortcut } from './shortcuts.ts';

export type BoundKeys = Readonly<Record<Shortcut, Keys>>;

const USUAL = 'usual';

/** What is set, whether or not the shortcuts are on. */
export const chosenKeysAtom = atom((get) => readKeys(get(settingAtom('shortcuts'))));

/** What acts now. */
export const boundKeysAtom = atom((get) => (get(settingAtom('hasShortcuts')) ? get(chosenKeysAtom) : OFF));

export function boundKeys(name: Shortcut): Keys {
  return getDefaultStore().get(boundKeysAtom)[name];
}

const OFF = recordBy<Shortcut, Keys>(SHORTCUT_NAMES, () => []);

/** What cannot be read is as usual. */
export function readKeys(text: string): BoundKeys {
  const stored = Object.fromEntries(
    text.split(' ').flatMap((pair) => {
      const at = pair.indexOf('=');
      return at < 0 ? [] : [[pair.slice(0, at), pair.slice(at + 1)]];
    }),
  );
  const keysIn = (name: Shortcut) => stored[name]?.split('+').filter((key) => key !== '');
  return recordBy(SHORTCUT_NAMES, (name) => keysIn(name) ?? SHORTCUTS[name]);
}

export function writeKeys(keys: BoundKeys): string {
  const own = SHORTCUT_NAMES.filter((name) => !isSameKeys(keys[name], SHORTCUTS[name]));
  return own.map((name) => `${name}=${keys[name].join('+')}`).join(' ') || USUAL;
}
