// Mantine's provider without its CSS variables component: our build writes the stylesheet, so the browser needs neither
// that component nor its table of default variables.
import {
  MantineContext,
  MantineThemeProvider,
  useProviderColorScheme,
  type MantineColorScheme,
  type MantineColorSchemeManager,
} from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { getDefaultStore } from 'jotai/vanilla';
import { theme } from '../../theme.ts';
import { settingAtom, writeSetting } from '../../stored-settings.ts';

const manager = colorSchemeManager();
const DEFAULT_SCHEME: MantineColorScheme = 'auto';
const getRootElement = () => document.documentElement;

export function ThemeProvider({ children }: { children: ReactNode }) {
  const schemes = useProviderColorScheme({
    manager,
    defaultColorScheme: DEFAULT_SCHEME,
    getRootElement,
    forceColorScheme: undefined,
  });
  usePageColor(schemes.colorScheme);
  return (
    <MantineContext
      value={{
        ...schemes,
        getRootElement,
        classNamesPrefix: 'mantine',
        cssVariablesSelector: ':root',
        withStaticClasses: false,
        deduplicateInlineStyles: false,
      }}
    >
      <MantineThemeProvider theme={theme}>{children}</MantineThemeProvider>
    </MantineContext>
  );
}

/** Sets the colour of the browser's own bars to the page colour. */
function usePageColor(scheme: MantineColorScheme): void {
  useEffect(() => {
    const system = window.matchMedia('(prefers-color-scheme: dark)');
    paint();
    system.addEventListener('change', paint);
    return () => system.removeEventListener('change', paint);
  }, [scheme]);
}

function paint(): void {
  const color = getComputedStyle(getRootElement()).getPropertyValue('--p-bg');
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', color);
}

/** Makes Mantine follow the stored theme, whichever tab sets it. */
function colorSchemeManager(): MantineColorSchemeManager {
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
