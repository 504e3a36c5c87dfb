import './lazy-words.ts';
import { Menu, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { useTranslation } from 'react-i18next';

const SCHEMES: MantineColorScheme[] = ['auto', 'light', 'dark'];

/** Rows of a menu: the theme, as one choice of three. */
export function ThemeChoice() {
  const { t } = useTranslation();
  // Mantine would write a stylesheet to hold transitions back meanwhile, which the content security policy forbids.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const names = { auto: t('com_nav_theme_system'), light: t('com_nav_theme_light'), dark: t('com_nav_theme_dark') };
  return (
    <Menu.RadioGroup
      value={colorScheme}
      onChange={(value) => setColorScheme(SCHEMES.find((scheme) => scheme === value) ?? 'auto')}
    >
      <Menu.Label>{t('com_nav_theme')}</Menu.Label>
      {SCHEMES.map((scheme) => (
        <Menu.RadioItem key={scheme} value={scheme}>
          {names[scheme]}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  );
}
