import type { Schedule } from '@parley/schema/schedules/schedule-rules';
import { IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'wouter';
import { describeError } from '../errors/describe-error.ts';
import page from '../layout/page/page.module.css';
import { Page } from '../layout/page/page.tsx';
import { focusIfLost } from '../lib/focus-if-lost.ts';
import { buttonClasses } from '../ui/button-classes.ts';
import { SkeletonRows } from '../ui/skeleton/skeleton-rows.tsx';
import { ScheduleForm } from './schedule-form.tsx';
import { ScheduleList } from './schedule-list.tsx';
import { NEW_SCHEDULE, NEW_SCHEDULE_PATH, SCHEDULES_PATH } from './schedule-paths.ts';
import { useFirstChoice } from './use-first-choice.ts';
import { useSchedules } from './use-schedules.ts';

/** The person's schedules, or the form of one. */
export function SchedulesScreen() {
  const { t } = useTranslation();
  const { scheduleId } = useParams();
  const { data: schedules, error } = useSchedules();
  return (
    <Page
      title={t(scheduleId === NEW_SCHEDULE ? 'com_schedules_new' : 'com_schedules')}
      {...(scheduleId !== undefined && { back: { href: SCHEDULES_PATH, label: 'com_schedules' } as const })}
      actions={scheduleId === undefined && <NewButton />}
    >
      {scheduleId === undefined && <p className={page.note}>{t('com_schedules_hint')}</p>}
      {!schedules && error && (
        <p className={page.note} role="alert">
          {describeError(error, t)}
        </p>
      )}
      {!schedules && !error && <SkeletonRows count={4} />}
      {schedules && scheduleId === undefined && <ScheduleList schedules={schedules} />}
      {schedules && scheduleId !== undefined && <Opened key={scheduleId} id={scheduleId} schedules={schedules} />}
    </Page>
  );
}

function Opened({ id, schedules }: { id: string; schedules: readonly Schedule[] }) {
  const { t } = useTranslation();
  const schedule = schedules.find((one) => one.id === id) ?? null;
  const opened = useFirstChoice(schedule);
  if (!schedule && id !== NEW_SCHEDULE) return <p className={page.note}>{t('com_error_not_found_schedule')}</p>;
  return opened ? <ScheduleForm schedule={schedule} {...opened} /> : <SkeletonRows count={6} />;
}

function NewButton() {
  const { t } = useTranslation();
  return (
    <Link ref={focusIfLost} className={buttonClasses({ variant: 'filled' })} href={NEW_SCHEDULE_PATH}>
      <IconPlus aria-hidden />
      {t('com_schedules_new')}
    </Link>
  );
}
