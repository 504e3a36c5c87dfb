import { Switch } from '@mantine/core';
import { NO_NOTICES, type NoticeSettings } from '@parley/schema/settings/notice-settings';
import { useAtomValue, useStore } from 'jotai';
import { useId, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { noticesAtom, saveAccountSettings } from '../../account-settings.ts';
import { describeError } from '../../errors/describe-error.ts';
import { askForNotices, isOffHere, noticePermission, onPermission, setOffHere } from '../../notices/permission.ts';
import { useStartup } from '../../startup.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/primitives/problem.tsx';
import { SkeletonRows } from '../../ui/skeleton/skeleton-rows.tsx';
import { Findable } from '../search/findable.tsx';
import { Setting } from '../setting.tsx';
import { PushDevices, PushSwitch } from './push-rows.tsx';
import classes from './notices.module.css';

/** Which notices the person gets, and where. */
export function NoticesSettings() {
  const { t } = useTranslation();
  const startup = useStartup();
  const stored = useAtomValue(noticesAtom);
  const { change, error } = useChange();
  const notices = stored ?? NO_NOTICES;
  const hasPush = notices.isOn && startup?.pushEnabled === true;
  const rows = { notices, onChange: change };
  return (
    <Findable words={`${t('com_notices')} ${t('com_notices_hint')} ${t('com_notices_on')} ${t('com_notices_mail')}`}>
      <p className={classes.note}>{t('com_notices_hint')}</p>
      {stored === undefined ? (
        <SkeletonRows count={3} />
      ) : (
        <>
          <NoticeSwitch {...rows} name="isOn" label={t('com_notices_on')} hint={t('com_notices_on_hint')} />
          {notices.isOn && <ThisBrowser />}
          {hasPush && <PushSwitch />}
          {(notices.isOn || notices.hasMail) && (
            <NoticeSwitch
              {...rows}
              name="hasTitles"
              label={t('com_notices_titles')}
              hint={t('com_notices_titles_hint')}
            />
          )}
          {startup?.emailEnabled && (
            <NoticeSwitch {...rows} name="hasMail" label={t('com_notices_mail')} hint={t('com_notices_mail_hint')} />
          )}
          {hasPush && <PushDevices />}
        </>
      )}
      <Problem>{error !== null && describeError(error, t)}</Problem>
    </Findable>
  );
}

interface NoticeSwitchProps {
  notices: NoticeSettings;
  name: keyof NoticeSettings;
  label: string;
  hint: string;
  onChange: (next: NoticeSettings) => void;
}

function NoticeSwitch({ notices, name, label, hint, onChange }: NoticeSwitchProps) {
  const id = useId();
  return (
    <Setting name={label} hint={hint} controlId={id}>
      <Switch
        id={id}
        withThumbIndicator={false}
        checked={notices[name]}
        onChange={({ currentTarget }) => onChange({ ...notices, [name]: currentTarget.checked })}
      />
    </Setting>
  );
}

/** Whether this browser shows them, and how to change that. */
function ThisBrowser() {
  const { t } = useTranslation();
  const id = useId();
  const permission = useSyncExternalStore(onPermission, noticePermission);
  const isOff = useSyncExternalStore(onPermission, isOffHere);
  const hint = {
    granted: t('com_notices_here_hint'),
    default: t('com_notices_ask_hint'),
    denied: t('com_notices_denied'),
    none: t('com_notices_unknown'),
  }[permission];
  return (
    <Setting name={t('com_notices_here')} hint={hint} {...(permission === 'granted' && { controlId: id })}>
      {permission === 'default' && (
        <Button size="sm" onClick={() => void askForNotices()}>
          {t('com_notices_allow')}
        </Button>
      )}
      {permission === 'granted' && (
        <Switch
          id={id}
          withThumbIndicator={false}
          checked={!isOff}
          onChange={({ currentTarget }) => setOffHere(!currentTarget.checked)}
        />
      )}
    </Setting>
  );
}

/** Acts at once; what cannot be saved is as it was before. */
function useChange() {
  const store = useStore();
  const [error, setError] = useState<Error | null>(null);
  async function change(next: NoticeSettings): Promise<void> {
    const before = store.get(noticesAtom) ?? null;
    const isNone = !Object.values(next).includes(true);
    store.set(noticesAtom, next);
    try {
      await saveAccountSettings({ notices: isNone ? null : next });
      setError(null);
    } catch (cause) {
      store.set(noticesAtom, before);
      setError(cause instanceof Error ? cause : new Error(String(cause)));
    }
  }
  return { error, change: (next: NoticeSettings) => void change(next) };
}
