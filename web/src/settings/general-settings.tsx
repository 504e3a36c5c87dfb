import '@mantine/core/styles/Input.css';
import { NativeSelect, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { LanguageSetting } from './language-setting.tsx';
import { Setting } from './setting.tsx';

export function GeneralSettings() {
  return (
    <>
      <ThemeSetting />
      <LanguageSetting />
    </>
  );
}

function ThemeSetting() {
  const { t } = useTranslation();
  const id = useId();
  // Mantine would write a stylesheet to hold transitions back meanwhile, which the content security policy forbids.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const schemes: { value: MantineColorScheme; label: string }[] = [
    { value: 'auto', label: t('com_nav_theme_system') },
    { value: 'dark', label: t('com_nav_theme_dark') },
    { value: 'light', label: t('com_nav_theme_light') },
  ];
  return (
    <Setting name={t('com_nav_theme')} controlId={id}>
      <NativeSelect
        id={id}
        data-testid="theme-selector"
        value={colorScheme}
        data={schemes}
        onChange={({ currentTarget }) =>
          setColorScheme(schemes.find(({ value }) => value === currentTarget.value)?.value ?? 'auto')
        }
      />
    </Setting>
  );
}
