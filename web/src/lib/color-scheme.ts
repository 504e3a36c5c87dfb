import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core';
import { readText, removeStored, writeText } from './persist.ts';

const KEY = 'color-theme';

/** The chosen theme, stored as 'light', 'dark' or 'system'; another tab's choice arrives here too. */
export function colorSchemeManager(): MantineColorSchemeManager {
  let hear: ((event: StorageEvent) => void) | null = null;
  return {
    get: (fallback) => schemeOf(readText(KEY)) ?? fallback,
    set: (scheme) => void writeText(KEY, scheme === 'auto' ? 'system' : scheme),
    clear: () => removeStored(KEY),
    subscribe: (onUpdate) => {
      hear = ({ key, newValue }) => {
        if (key === KEY) onUpdate(schemeOf(newValue) ?? 'auto');
      };
      window.addEventListener('storage', hear);
    },
    unsubscribe: () => {
      if (hear) window.removeEventListener('storage', hear);
    },
  };
}

function schemeOf(stored: string | null): MantineColorScheme | undefined {
  if (stored === 'light' || stored === 'dark') return stored;
  return stored === 'system' ? 'auto' : undefined;
}
