import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core';
import { getDefaultStore } from 'jotai/vanilla';
import { settingAtom, writeSetting } from '../../stored-settings.ts';

/** Makes Mantine follow the stored theme, whichever tab sets it. */
export function colorSchemeManager(): MantineColorSchemeManager {
  let unsubscribe = () => {};
  return {
    get: current,
    set: (scheme) => writeSetting('theme', scheme === 'auto' ? 'system' : scheme),
    clear: () => writeSetting('theme', 'system'),
    subscribe: (onUpdate) => {
      unsubscribe = getDefaultStore().sub(settingAtom('theme'), () => onUpdate(current()));
    },
    unsubscribe: () => unsubscribe(),
  };
}

function current(): MantineColorScheme {
  const theme = getDefaultStore().get(settingAtom('theme'));
  return theme === 'system' ? 'auto' : theme;
}
