import '@mantine/core/styles/InlineInput.css';
import '@mantine/core/styles/Switch.css';
import { Switch } from '@mantine/core';
import {
  SETTINGS,
  SETTING_NAMES,
  type SettingName,
  type SettingRow,
  type SettingsTab,
} from '@parley/schema/settings/interface';
import type { ParseKeys } from 'i18next';
import { useAtom } from 'jotai';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { switchTargetAtom } from '../chat/switch-model/switch-target.ts';
import { SelectField } from '../ui/fields/select-field.tsx';
import { ShortcutRows } from './keyboard/shortcut-rows.tsx';
import { VoiceSelect } from './speech/voice-select.tsx';
import { PageRow } from './dialog-row.tsx';
import { Setting } from './setting.tsx';
import { settingAtom } from '../stored-settings.ts';
import { AUTO, chooseLanguage, chosenLanguage } from '../i18n.ts';
import { useStartup } from '../startup.ts';
import { offeredLanguages, ownName } from '../languages.ts';
import { showToast } from '../ui/toast/toast.ts';

export function BetaSettings() {
  return (
    <>
      <ModularChat />
      <SettingRows tab="beta" />
    </>
  );
}

export function AppearanceSettings() {
  return <SettingRows tab="appearance" />;
}

export function ChatSettings() {
  const { t } = useTranslation();
  const areToolsOff = useStartup()?.toolsEnabled === false;
  return (
    <>
      <SettingRows tab="chat" />
      <PageRow href="/prompts" label={t('com_prompts')} hint={t('com_prompts_hint')} />
      <PageRow href="/schedules" label={t('com_schedules')} hint={t('com_schedules_hint')} />
      {!areToolsOff && <PageRow href="/tools" label={t('com_tools')} hint={t('com_tools_hint')} />}
    </>
  );
}

interface SettingRowsProps {
  tab: SettingsTab;
  /** Those that have no effect here. */
  without?: readonly SettingName[];
}

/** The settings of a section. */
export function SettingRows({ tab, without = [] }: SettingRowsProps) {
  const names = SETTING_NAMES.filter((name) => tabOf(name) === tab && !without.includes(name));
  return names.map((name) => <SettingLine key={name} name={name} />);
}

function tabOf(name: SettingName): SettingsTab | null {
  const { tab = 'chat' } = rowOf(name);
  return tab;
}

/** The compiler refuses a row whose sentences English lacks. */
function rowOf(name: SettingName): SettingRow<ParseKeys> {
  return SETTINGS[name];
}

function SettingLine({ name }: { name: SettingName }) {
  const { t } = useTranslation();
  const id = useId();
  const row = rowOf(name);
  if (row.kind === 'keys') return <ShortcutRows />;
  return (
    <Setting name={t(row.label)} {...(row.hint && { hint: t(row.hint) })} controlId={id}>
      <Control id={id} name={name} />
    </Setting>
  );
}

const TARGETS = ['continue', 'ask', 'new'] as const;

/** On, off, or asked each time. */
function ModularChat() {
  const { t } = useTranslation();
  const id = useId();
  const [target, setTarget] = useAtom(switchTargetAtom);
  const { label, hint } = SETTINGS.modularChat;
  const { options } = SETTINGS.switchingModels;
  const targets = TARGETS.map((value) => ({ value, label: t(options[value]) }));
  return (
    <Setting name={t(label)} hint={t(hint)} controlId={id}>
      <SelectField id={id} data-testid="modularChat" value={target} options={targets} onChange={setTarget} />
    </Setting>
  );
}

function Control({ id, name }: { id: string; name: SettingName }) {
  const { t } = useTranslation();
  const [value, setValue] = useAtom(settingAtom(name));
  const row = rowOf(name);
  switch (row.kind) {
    case undefined:
      return (
        <Switch
          id={id}
          withThumbIndicator={false}
          data-testid={name}
          checked={value === true}
          onChange={(event) => setValue(event.currentTarget.checked)}
        />
      );
    case 'choice':
      return (
        <SelectField
          id={id}
          data-testid={`${name}-selector`}
          value={String(value)}
          options={Object.entries(row.options).map(([option, label]) => ({ value: option, label: t(label) }))}
          onChange={setValue}
        />
      );
    case 'keys':
      return null;
    case 'voice':
      return <VoiceSelect id={id} testId={`${name}-selector`} />;
    case 'language':
      return <LanguageSelect id={id} testId={`${name}-selector`} />;
    default:
      return row satisfies never;
  }
}

/** The language of the interface. It does not affect the models' answers. */
function LanguageSelect({ id, testId }: { id: string; testId: string }) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState(chosenLanguage);
  const languages = offeredLanguages().map((language) => ({ value: language, label: ownName(language) }));

  async function choose(language: string): Promise<void> {
    setChosen(language);
    try {
      await chooseLanguage(language);
    } catch {
      setChosen(chosenLanguage());
      showToast({ message: t('com_nav_lang_failed'), severity: 'error' });
    }
  }

  return (
    <SelectField
      id={id}
      aria-label={t('com_nav_language')}
      data-testid={testId}
      value={chosen}
      options={[{ value: AUTO, label: t('com_nav_lang_auto') }, ...languages]}
      onChange={(language) => void choose(language)}
    />
  );
}
