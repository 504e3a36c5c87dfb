import type { Device } from '@parley/schema/accounts/users';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../auth/failure-alert.tsx';
import { describeError } from '../../errors/describe-error.ts';
import { formatDateTime } from '../../lib/format-date.ts';
import { api, trpc } from '../../trpc.ts';
import { TwoClickButton } from '../../ui/two-click-button.tsx';
import { showToast } from '../../ui/toast/toast.ts';
import classes from './account.module.css';

const PHONES = new Set(['iPhone', 'iPad', 'Android']);

/** The devices on which the person is signed in, each with a button that signs it out. */
export function Devices() {
  const { t } = useTranslation();
  const { data: devices, error, refetch } = trpc.account.devices.useQuery(undefined, { refetchOnMount: 'always' });

  async function run(signOut: () => Promise<unknown>): Promise<void> {
    try {
      await signOut();
    } catch (failure) {
      showToast({ message: describeError(failure, t), severity: 'error' });
    }
    await refetch();
  }

  return (
    <section className={`${classes.section} ${classes.wide}`} aria-labelledby="devices-title">
      <h2 id="devices-title" className={classes.title}>
        {t('com_account_devices')}
      </h2>
      {error && <FailureAlert sentence={describeError(error, t)} />}
      <ul className={classes.devices}>
        {devices?.map((device) => (
          <DeviceRow
            key={device.id}
            device={device}
            signOut={() => run(() => api.account.signOutDevice.mutate({ id: device.id }))}
          />
        ))}
      </ul>
      {devices && devices.length > 1 && (
        <div className={classes.submit}>
          <TwoClickButton
            label={t('com_account_sign_out_others')}
            confirm={t('com_ui_confirm_action')}
            testId="sign-out-others"
            run={() => run(() => api.account.signOutOthers.mutate())}
          />
        </div>
      )}
    </section>
  );
}

function DeviceRow({ device, signOut }: { device: Device; signOut: () => Promise<void> }) {
  const { t, i18n } = useTranslation();
  const nameId = `device-${device.id}`;
  const Icon = PHONES.has(device.system ?? '') ? IconDeviceMobile : IconDeviceDesktop;
  return (
    <li className={classes.device}>
      <Icon aria-hidden />
      <span className={classes.deviceText}>
        <span id={nameId}>{nameOf(device, t)}</span>
        <span className={classes.muted}>
          {device.isThis
            ? t('com_account_this_device')
            : t('com_account_last_used', { 0: formatDateTime(device.lastUsedAt, i18n.language) })}
        </span>
      </span>
      {!device.isThis && (
        <TwoClickButton
          label={t('com_account_sign_out')}
          confirm={t('com_ui_confirm_action')}
          describedBy={nameId}
          run={signOut}
        />
      )}
    </li>
  );
}

function nameOf({ browser, system }: Device, t: TFunction): string {
  if (browser && system) return t('com_account_device', { 0: browser, 1: system });
  return browser ?? system ?? t('com_account_unknown_device');
}
