import '@mantine/core/styles/Checkbox.css';
import { Checkbox, Switch } from '@mantine/core';
import { PERSONAL_TEXT_MAX, type Personal } from '@parley/schema/settings/interface';
import { useAtomValue } from 'jotai';
import { useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { NO_PERSONAL, personalAtom, savePersonal } from '../../account-settings.ts';
import { endpointLabel } from '../../catalog/choose-model.ts';
import { useCatalog } from '../../endpoints/use-catalog.ts';
import { describeError } from '../../errors/describe-error.ts';
import { LengthCount } from '../../ui/fields/length-count.tsx';
import { useAutosave } from '../../ui/hooks/use-autosave.ts';
import { useAutosize } from '../../ui/hooks/use-autosize.ts';
import { SkeletonRows } from '../../ui/skeleton/skeleton-rows.tsx';
import { Findable } from '../search/findable.tsx';
import { Setting } from '../setting.tsx';
import classes from './personalization.module.css';

/** The instructions for all chats. */
export function PersonalizationSettings() {
  const { t } = useTranslation();
  const stored = useAtomValue(personalAtom);
  return (
    <Findable words={`${t('com_personal')} ${t('com_personal_about')} ${t('com_personal_style')}`}>
      {stored === undefined ? <SkeletonRows count={4} /> : <PersonalForm stored={stored ?? NO_PERSONAL} />}
    </Findable>
  );
}

function PersonalForm({ stored }: { stored: Personal }) {
  const { t } = useTranslation();
  const { value: personal, change, state, error } = useAutosave(stored, savePersonal);
  const set = (part: Partial<Personal>) => change({ ...personal, ...part });
  return (
    <>
      <p className={classes.note}>{t('com_personal_hint')}</p>
      {(['about', 'style'] as const).map((name) => (
        <TextWithSwitch
          key={name}
          label={t(name === 'about' ? 'com_personal_about' : 'com_personal_style')}
          placeholder={t(name === 'about' ? 'com_personal_about_example' : 'com_personal_style_example')}
          value={personal[name]}
          isOn={personal.isOn[name]}
          onWrite={(text) => set({ [name]: text })}
          onSwitch={(isOn) => set({ isOn: { ...personal.isOn, [name]: isOn } })}
        />
      ))}
      <p className={classes.note} role="status" data-error={error !== null || undefined}>
        {error === null ? state === 'saved' && t('com_personal_saved') : describeError(error, t)}
      </p>
      <Exceptions
        names={personal.exceptEndpoints}
        hint={t('com_personal_except_hint')}
        onChange={(exceptEndpoints) => set({ exceptEndpoints })}
      />
    </>
  );
}

interface TextWithSwitchProps {
  label: string;
  placeholder: string;
  value: string;
  isOn: boolean;
  onWrite: (text: string) => void;
  onSwitch: (isOn: boolean) => void;
}

function TextWithSwitch({ label, placeholder, value, isOn, onWrite, onSwitch }: TextWithSwitchProps) {
  const { t } = useTranslation();
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  useAutosize(area, value);
  return (
    <div className={classes.text}>
      <div className={classes.head}>
        <label htmlFor={id}>{label}</label>
        <Switch
          aria-label={t('com_personal_send', { 0: label })}
          checked={isOn}
          onChange={({ currentTarget }) => onSwitch(currentTarget.checked)}
        />
      </div>
      <textarea
        ref={area}
        id={id}
        className={classes.area}
        rows={3}
        dir={value === '' ? undefined : 'auto'}
        maxLength={PERSONAL_TEXT_MAX}
        placeholder={placeholder}
        data-off={!isOn || undefined}
        value={value}
        onChange={({ currentTarget }) => onWrite(currentTarget.value)}
      />
      <LengthCount length={value.length} max={PERSONAL_TEXT_MAX} />
    </div>
  );
}

interface ExceptionsProps {
  names: readonly string[];
  hint: string;
  onChange: (names: string[]) => void;
}

/** Endpoints that are gone stay in the list: they may come back. */
export function Exceptions({ names, hint, onChange }: ExceptionsProps) {
  const { t } = useTranslation();
  const catalog = useCatalog();
  const offered = Object.keys(catalog?.endpoints ?? {});
  const all = [...new Set([...offered, ...names])];
  if (all.length === 0) return null;
  return (
    <>
      <Setting name={t('com_personal_except')} hint={hint} />
      <div className={classes.endpoints} role="group" aria-label={t('com_personal_except')}>
        {all.map((name) => (
          <Checkbox
            key={name}
            label={endpointLabel(name)}
            checked={names.includes(name)}
            onChange={({ currentTarget }) =>
              onChange(currentTarget.checked ? [...names, name] : names.filter((one) => one !== name))
            }
          />
        ))}
      </div>
    </>
  );
}
