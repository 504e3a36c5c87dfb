import { Switch } from '@mantine/core';
import type { PushTarget } from '@parley/schema/notices/notices';
import { useId, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { relativeTime } from '../../chat/message-time/relative-time.ts';
import { describeError } from '../../errors/describe-error.ts';
import { errorRefusal } from '../../errors/refusal.ts';
import { noticePermission, onPermission } from '../../notices/permission.ts';
import { hasPush, switchPushOff, switchPushOn } from '../../notices/push.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/primitives/problem.tsx';
import { SkeletonRows } from '../../ui/skeleton/skeleton-rows.tsx';
import { showToast } from '../../ui/toast/toast.ts';
import { useShowError } from '../../ui/toast/use-show-error.ts';
import { TwoClickButton } from '../../ui/two-click-button.tsx';
import { Setting } from '../setting.tsx';
import classes from './notices.module.css';

/** Whether this device gets notices without an open page. */
export function PushSwitch() {
  const { t } = useTranslation();
  const { data, error } = useDevices();
  if (error) return <p className={classes.failure}>{describeError(error, t)}</p>;
  if (!data) return <SkeletonRows count={1} />;
  return <ThisDevice publicKey={data.publicKey} device={data.devices.find(({ isThis }) => isThis) ?? null} />;
}

/** All devices that do. */
export function PushDevices() {
  const { t } = useTranslation();
  const { data, dataUpdatedAt } = useDevices();
  if (!data) return null;
  const { devices } = data;
  return (
    <section className={classes.devices} aria-labelledby="notices-devices">
      <h3 id="notices-devices" className={classes.title}>
        {t('com_notices_devices')}
      </h3>
      {devices.length === 0 && <p className={classes.note}>{t('com_notices_no_devices')}</p>}
      {devices.map((device) => (
        <DeviceRow key={device.id} device={device} now={dataUpdatedAt} />
      ))}
    </section>
  );
}

function useDevices() {
  return trpc.notices.devices.useQuery(undefined, { staleTime: 0 });
}

function ThisDevice({ publicKey, device }: { publicKey: string; device: PushTarget | null }) {
  const { t } = useTranslation();
  const id = useId();
  const { run, isBusy, problem } = useSwitch();
  const permission = useSyncExternalStore(onPermission, noticePermission);
  if (!hasPush()) return null;
  const hint = permission === 'granted' ? t('com_notices_push_hint') : t('com_notices_push_ask');
  return (
    <>
      <Setting name={t('com_notices_push')} hint={hint} controlId={id}>
        <Switch
          id={id}
          withThumbIndicator={false}
          checked={device !== null}
          disabled={isBusy || (device === null && permission !== 'granted')}
          onChange={() => void run(() => (device ? switchPushOff(device.id) : switchPushOn(publicKey)))}
        />
      </Setting>
      <Problem>{problem}</Problem>
    </>
  );
}

function useSwitch() {
  const { t } = useTranslation();
  const utils = trpc.useUtils();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  async function run(act: () => Promise<void>): Promise<void> {
    setBusy(true);
    setProblem(null);
    try {
      await act();
    } catch (error) {
      setProblem(
        error instanceof Error && errorRefusal(error) ? describeError(error, t) : t('com_notices_push_failed'),
      );
    }
    await utils.notices.devices.invalidate();
    setBusy(false);
  }
  return { run, isBusy, problem };
}

function DeviceRow({ device, now }: { device: PushTarget; now: number }) {
  const { t, i18n } = useTranslation();
  const nameId = useId();
  const showError = useShowError();
  const utils = trpc.useUtils();
  const onSettled = () => utils.notices.devices.invalidate();
  const remove = trpc.notices.removeDevice.useMutation({ onError: showError, onSettled });
  const tryOut = trpc.notices.tryDevice.useMutation({
    onSuccess: (isSent) =>
      showToast(
        isSent
          ? { message: t('com_notices_tried'), severity: 'success' }
          : { message: t('com_notices_not_tried'), severity: 'error' },
      ),
    onError: showError,
    onSettled,
  });
  const { browser, system, isThis, createdAt, failedAt } = device;
  const name = [browser, system].filter((known) => known !== null).join(' · ') || t('com_account_device_unknown');
  const since = isThis
    ? t('com_notices_device_this')
    : t('com_notices_device_added', { 0: relativeTime(createdAt, i18n.language, now) });
  const hint = failedAt === null ? since : `${since} · ${t('com_notices_device_failed')}`;
  return (
    <Setting name={name} nameId={nameId} hint={hint}>
      {isThis ? (
        <Button size="sm" disabled={tryOut.isPending} onClick={() => tryOut.mutate()}>
          {t('com_notices_try')}
        </Button>
      ) : (
        <TwoClickButton
          label={t('com_notices_remove')}
          confirm={t('com_ui_confirm_action')}
          describedBy={nameId}
          run={() => remove.mutateAsync({ id: device.id })}
        />
      )}
    </Setting>
  );
}
