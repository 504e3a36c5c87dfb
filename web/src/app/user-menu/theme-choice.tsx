import { Menu } from '@mantine/core';
import { useAtom } from 'jotai';
import { useTranslation } from 'react-i18next';
import { SETTINGS } from '@parley/schema/settings/interface';
import { settingAtom } from '../../stored-settings.ts';

const { label, options } = SETTINGS.theme;
type Theme = keyof typeof options;
const themes = Object.keys(options) as Theme[];

/** Menu rows: the theme as a choice of three. */
export function ThemeChoice() {
  const { t } = useTranslation();
  const [chosen, setTheme] = useAtom(settingAtom('theme'));
  return (
    <Menu.RadioGroup
      value={chosen}
      onChange={(value) => setTheme(themes.find((theme) => theme === value) ?? SETTINGS.theme.default)}
    >
      <Menu.Label>{t(label)}</Menu.Label>
      {themes.map((option) => (
        <Menu.RadioItem key={option} value={option}>
          {t(options[option])}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  );
}
