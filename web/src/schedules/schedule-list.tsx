import { SCHEDULE_FAILURES_MAX, type Schedule, type ScheduleRun } from '@parley/schema/schedules/schedule-rules';
import { IconPlayerPause, IconPlayerPlay, IconSend, IconTrash } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { ConfirmDialog } from '../dialogs/confirm-dialog.tsx';
import { describeReason } from '../errors/describe-reason.ts';
import page from '../layout/page/page.module.css';
import { IconButton } from '../ui/icon-button.tsx';
import { schedulePath } from './schedule-paths.ts';
import { describeRule, formatSlot } from './schedule-words.ts';
import { useChangeSchedule } from './use-schedules.ts';
import { ownTimeZone } from './when.ts';
import classes from './schedules.module.css';

export function ScheduleList({ schedules }: { schedules: readonly Schedule[] }) {
  const { t } = useTranslation();
  if (schedules.length === 0) return <p className={page.note}>{t('com_schedules_none')}</p>;
  return (
    <ul className={classes.list} aria-label={t('com_schedules')}>
      {schedules.map((schedule) => (
        <Row key={schedule.id} schedule={schedule} />
      ))}
    </ul>
  );
}

function Row({ schedule }: { schedule: Schedule }) {
  const { t, i18n } = useTranslation();
  const nameId = useId();
  const { id, title, state, lastRun } = schedule;
  return (
    <li className={classes.row} aria-labelledby={nameId}>
      <div className={classes.about}>
        <Link id={nameId} className={classes.name} href={schedulePath(id)}>
          <bdi>{title}</bdi>
        </Link>
        <p className={classes.line}>
          {state !== 'on' && <strong className={classes.state}>{t(`com_schedules_${state}`)}</strong>}
          {describeRule(schedule, ownTimeZone(), t, i18n.language)}
        </p>
        <Next schedule={schedule} />
        {lastRun && <LastRun run={lastRun} />}
      </div>
      <Buttons schedule={schedule} />
    </li>
  );
}

function Next({ schedule: { id, state, nextAt, failures } }: { schedule: Schedule }) {
  const { t, i18n } = useTranslation();
  if (nextAt !== null)
    return <p className={classes.line}>{t('com_schedules_next', { 0: formatSlot(nextAt, i18n.language) })}</p>;
  if (state !== 'paused' || failures < SCHEDULE_FAILURES_MAX) return null;
  return (
    <p className={classes.problem}>
      {t('com_schedules_failed_often', { 0: failures })}{' '}
      <Link href={schedulePath(id)}>{t('com_schedules_change')}</Link>
    </p>
  );
}

/** What became of it, with a way to the chat. */
function LastRun({ run: { slot, state, convoId, reason } }: { run: ScheduleRun }) {
  const { t, i18n } = useTranslation();
  const when = formatSlot(slot, i18n.language);
  const outcome = reason ? 'failed' : state === 'asked' && convoId === null ? 'waiting' : state;
  return (
    <p className={reason ? classes.problem : classes.line}>
      {t(`com_schedules_last_${outcome}`, { 0: when })}
      {reason && ` ${describeReason(reason, t)}`}
      {convoId !== null && (
        <>
          {' '}
          <Link href={`/c/${convoId}`}>{t('com_schedules_open_chat')}</Link>
        </>
      )}
    </p>
  );
}

function Buttons({ schedule }: { schedule: Schedule }) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const { pause, resume, runNow, remove, isBusy } = useChangeSchedule(schedule);
  const { title, state } = schedule;
  return (
    <span className={classes.buttons}>
      <IconButton label={t('com_schedules_run', { 0: title })} disabled={isBusy} onClick={runNow}>
        <IconSend aria-hidden />
      </IconButton>
      {state === 'on' && (
        <IconButton label={t('com_schedules_pause', { 0: title })} disabled={isBusy} onClick={pause}>
          <IconPlayerPause aria-hidden />
        </IconButton>
      )}
      {state === 'paused' && (
        <IconButton label={t('com_schedules_resume', { 0: title })} disabled={isBusy} onClick={resume}>
          <IconPlayerPlay aria-hidden />
        </IconButton>
      )}
      <IconButton label={t('com_schedules_delete', { 0: title })} disabled={isBusy} onClick={() => setAsking(true)}>
        <IconTrash aria-hidden />
      </IconButton>
      {isAsking && (
        <ConfirmDialog
          title={t('com_schedules_delete_title', { 0: title })}
          text={t('com_schedules_delete_text')}
          verb={t('com_ui_delete')}
          onCancel={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false);
            remove();
          }}
        />
      )}
    </span>
  );
}
