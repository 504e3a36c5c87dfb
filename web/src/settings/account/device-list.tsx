import type { Device } from '@parley/schema/accounts/devices';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../auth/failure-alert.tsx';
import { relativeTime } from '../../chat/message-time/relative-time.ts';
import { describeError } from '../../errors/describe-error.ts';
import { trpc } from '../../trpc.ts';
import { showToast } from '../../ui/toast/toast.ts';
import { TwoClickButton } from '../../ui/two-click-button.tsx';
import { Setting } from '../setting.tsx';
import classes from './account-settings.module.css';
import { useShowError } from '../../ui/toast/use-show-error.ts';

/** Where the user is signed in, with a way to end each. */
export function DeviceList() {
  const { t } = useTranslation();
  const { data: devices, dataUpdatedAt, error } = trpc.auth.devices.useQuery(undefined, { staleTime: 0 });
  if (error) return <FailureAlert sentence={describeError(error, t)} />;
  if (!devices) return null;
  return (
    <section className={classes.section} aria-labelledby="devices-title">
      <h2 id="devices-title" className={classes.title}>
        {t('com_account_devices')}
      </h2>
      {devices.length > 1 && <p className={classes.hint}>{t('com_account_devices_hint')}</p>}
      {devices.map((device) => (
        <DeviceRow key={device.id} device={device} now={dataUpdatedAt} />
      ))}
      {devices.length > 1 && <SignOutOthers />}
    </section>
  );
}

function DeviceRow({ device, now }: { device: Device; now: number }) {
  const { t, i18n } = useTranslation();
  const showError = useShowError();
  const id = useId();
  const reload = useReload();
  const signOut = trpc.auth.signOutDevice.useMutation({
    onSuccess: () => showToast({ message: t('com_account_signed_out'), severity: 'success' }),
    onError: showError,
    onSettled: reload,
  });
  const { browser, system, isThis, usedAt } = device;
  const name = [browser, system].filter((known) => known !== null).join(' · ') || t('com_account_device_unknown');
  const used = relativeTime(usedAt, i18n.language, now);
  const hint = isThis ? t('com_account_device_this') : t('com_account_device_used', { 0: used });
  return (
    <Setting name={name} nameId={id} hint={hint}>
      {!isThis && (
        <TwoClickButton
          label={t('com_account_sign_out')}
          confirm={t('com_ui_confirm_action')}
          describedBy={id}
          run={() => signOut.mutateAsync({ id: device.id })}
        />
      )}
    </Setting>
  );
}

function SignOutOthers() {
  const { t } = useTranslation();
  const showError = useShowError();
  const reload = useReload();
  const signOut = trpc.auth.signOutOthers.useMutation({
    onSuccess: () => showToast({ message: t('com_account_signed_out_others'), severity: 'success' }),
    onError: showError,
    onSettled: reload,
  });
  return (
    <div className={classes.others}>
      <TwoClickButton
        label={t('com_account_sign_out_others')}
        confirm={t('com_ui_confirm_action')}
        run={() => signOut.mutateAsync()}
      />
    </div>
  );
}

function useReload(): () => Promise<void> {
  const { devices } = trpc.useUtils().auth;
  return () => devices.invalidate();
}
