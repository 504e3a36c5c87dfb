import { keepPreviousData } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { describeError } from '../errors/describe-error.ts';
import { describeReason } from '../errors/describe-reason.ts';
import { trpc } from '../trpc.ts';
import { SelectField } from '../ui/fields/select-field.tsx';
import { TextField } from '../ui/fields/text-field.tsx';
import { Problem } from '../ui/primitives/problem.tsx';
import { formatSlot, weekdayName, zoneName } from './schedule-words.ts';
import { timeZones, WHEN_KINDS, type Rule, type When } from './when.ts';
import classes from './schedules.module.css';

const WEEKDAYS = ['1', '2', '3', '4', '5', '6', '0'];
const MONTH_DAYS = Array.from({ length: 31 }, (_, n) => String(n + 1));

interface WhenFieldsProps {
  when: When;
  timeZone: string;
  onChange: (when: When) => void;
  onTimeZone: (timeZone: string) => void;
}

export function WhenFields({ when, timeZone, onChange, onTimeZone }: WhenFieldsProps) {
  const { t, i18n } = useTranslation();
  const { kind, time, weekday, day, date, cron } = when;
  const change = (over: Partial<When>) => onChange({ ...when, ...over });
  return (
    <div className={classes.when}>
      <SelectField
        label={t('com_schedules_when')}
        value={kind}
        options={WHEN_KINDS.map((value) => ({ value, label: t(`com_schedules_${value}`) }))}
        onChange={(next) => change({ kind: next })}
      />
      {kind === 'weekly' && (
        <SelectField
          label={t('com_schedules_weekday')}
          value={weekday}
          options={WEEKDAYS.map((value) => ({ value, label: weekdayName(value, i18n.language) }))}
          onChange={(next) => change({ weekday: next })}
        />
      )}
      {kind === 'monthly' && (
        <SelectField
          label={t('com_schedules_day')}
          value={day}
          options={MONTH_DAYS.map((value) => ({ value, label: value }))}
          onChange={(next) => change({ day: next })}
        />
      )}
      {kind === 'once' && (
        <TextField
          label={t('com_schedules_date')}
          type="date"
          required
          value={date}
          onChange={(event) => change({ date: event.currentTarget.value })}
        />
      )}
      {kind === 'cron' ? (
        <TextField
          label={t('com_schedules_cron_rule')}
          description={t('com_schedules_cron_hint')}
          required
          dir="ltr"
          maxLength={100}
          placeholder="0 7 * * 1-5"
          value={cron}
          onChange={(event) => change({ cron: event.currentTarget.value })}
        />
      ) : (
        <TextField
          label={t('com_schedules_time')}
          type="time"
          required
          value={time}
          onChange={(event) => change({ time: event.currentTarget.value })}
        />
      )}
      <SelectField
        label={t('com_schedules_zone')}
        value={timeZone}
        options={timeZones().map((value) => ({ value, label: zoneName(value) }))}
        onChange={onTimeZone}
      />
    </div>
  );
}

/** The next times of the rule, or why it is none. */
export function NextTimes({ rule, timeZone }: { rule: Rule | null; timeZone: string }) {
  const { t, i18n } = useTranslation();
  const { data, error } = trpc.schedules.preview.useQuery(
    { timeZone, ...(rule?.cron ? { cron: rule.cron } : { at: rule?.at }) },
    { enabled: rule !== null, staleTime: 0, retry: false, placeholderData: keepPreviousData },
  );
  const { slots = [], reason = null } = rule && data ? data : {};
  return (
    <div className={classes.next} aria-live="polite">
      {slots.length > 0 && (
        <>
          <span className={classes.label}>{t('com_schedules_next_times')}</span>
          <ul>
            {slots.map((slot) => (
              <li key={slot}>{formatSlot(slot, i18n.language)}</li>
            ))}
          </ul>
        </>
      )}
      <Problem>{reason ? describeReason(reason, t) : rule && error && describeError(error, t)}</Problem>
    </div>
  );
}
