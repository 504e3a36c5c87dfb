// Times and rules in the language of the reader.
import type { Schedule } from '@parley/schema/schedules/schedule-rules';
import type { TFunction } from 'i18next';
import { whenOf } from './when.ts';

/** A Sunday. */
const SUNDAY = Date.UTC(2026, 0, 4);
const DAY_MS = 24 * 60 * 60_000;

/** With the day of the week, in the reader's zone. */
export function formatSlot(iso: string, language: string): string {
  return new Intl.DateTimeFormat(language, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  }).format(new Date(iso));
}

export function weekdayName(weekday: string, language: string): string {
  const day = new Date(SUNDAY + Number(weekday) * DAY_MS);
  return new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(day);
}

/** How a schedule repeats, with its zone where that is not the reader's. */
export function describeRule(schedule: Schedule, ownZone: string, t: TFunction, language: string): string {
  const { timeZone } = schedule;
  const { kind, time, weekday, day, cron } = whenOf(schedule, timeZone, new Date());
  const at = new Intl.DateTimeFormat(language, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' }).format(
    new Date(`2026-01-01T${time}Z`),
  );
  const rule = {
    daily: () => t('com_schedules_daily_at', { 0: at }),
    weekdays: () => t('com_schedules_weekdays_at', { 0: at }),
    weekly: () => t('com_schedules_weekly_at', { 0: weekdayName(weekday, language), 1: at }),
    monthly: () => t('com_schedules_monthly_at', { 0: day, 1: at }),
    once: () => t('com_schedules_once'),
    cron: () => t('com_schedules_cron_is', { 0: cron }),
  }[kind]();
  return timeZone === ownZone ? rule : `${rule} · ${zoneName(timeZone)}`;
}

export function zoneName(timeZone: string): string {
  return timeZone.replaceAll('_', ' ');
}
