// Tests of this room: tests/unit/web/schedules, tests/e2e/schedules.

// When a schedule asks, as its form says it, and as the server keeps it.

export const WHEN_KINDS = ['daily', 'weekdays', 'weekly', 'monthly', 'once', 'cron'] as const;
export type WhenKind = (typeof WHEN_KINDS)[number];

/** All that the form has typed; the kind says what of it counts. */
export interface When {
  kind: WhenKind;
  /** `07:30` */
  time: string;
  /** From 0, which is Sunday. */
  weekday: string;
  /** Of a month, from 1. */
  day: string;
  /** `2026-12-31` */
  date: string;
  cron: string;
}

export interface Rule {
  cron: string | null;
  /** ISO 8601. */
  at: string | null;
}

/** Null while a field is empty. */
export function ruleOf({ kind, time, weekday, day, date, cron }: When, timeZone: string): Rule | null {
  if (kind === 'cron') return cron.trim() === '' ? null : { cron: cron.trim(), at: null };
  const [, hour, minute] = /^(\d\d):(\d\d)$/.exec(time) ?? [];
  if (hour === undefined || minute === undefined) return null;
  if (kind === 'once') {
    const at = instantOf(`${date}T${time}`, timeZone);
    return at === null ? null : { cron: null, at };
  }
  const days = { daily: '* * *', weekdays: '* * 1-5', weekly: `* * ${weekday}`, monthly: `${day} * *` }[kind];
  return { cron: `${Number(minute)} ${Number(hour)} ${days}`, at: null };
}

const DAY_MS = 24 * 60 * 60_000;
const SIMPLE = /^(\d{1,2}) (\d{1,2}) (\*|\d{1,2}) \* (\*|1-5|[0-6])$/;

/** The choices of the form that have made a rule; a rule of another form is shown as it is. */
export function whenOf({ cron, at }: Rule, timeZone: string, now: Date): When {
  const when: When = {
    kind: 'cron',
    time: '07:00',
    weekday: '1',
    day: '1',
    date: localTime(new Date(now.getTime() + DAY_MS), timeZone).slice(0, 10),
    cron: cron ?? '',
  };
  if (at !== null) {
    const [date = '', time = ''] = localTime(new Date(at), timeZone).split('T');
    return { ...when, kind: 'once', date, time };
  }
  const [, minute = '', hour = '', day = '', weekday = ''] = SIMPLE.exec(cron ?? '') ?? [];
  if (minute === '' || (day !== '*' && weekday !== '*')) return when;
  const simple = { ...when, time: `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}` };
  if (day !== '*') return { ...simple, kind: 'monthly', day };
  if (weekday === '*') return { ...simple, kind: 'daily' };
  return weekday === '1-5' ? { ...simple, kind: 'weekdays' } : { ...simple, kind: 'weekly', weekday };
}

/** The local time of a zone, as `2026-12-31T07:30`. */
function localTime(at: Date, timeZone: string): string {
  const numeric = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;
  const format = new Intl.DateTimeFormat('en-CA', { ...numeric, hourCycle: 'h23', timeZone });
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return `${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}`;
}

/** When a local time of a zone is; null where it is none. A time that the clock leaves out is an hour later. */
function instantOf(local: string, timeZone: string): string | null {
  const asUtc = Date.parse(`${local}Z`);
  if (Number.isNaN(asUtc)) return null;
  const offsetAt = (at: number) => Date.parse(`${localTime(new Date(at), timeZone)}Z`) - at;
  // The offset of the day may be another one than that of the moment which has the same digits in UTC.
  const near = asUtc - offsetAt(asUtc);
  return new Date(asUtc - offsetAt(near)).toISOString();
}

/** The zones that this browser knows, its own first. */
export function timeZones(): string[] {
  return [...new Set([ownTimeZone(), 'UTC', ...Intl.supportedValuesOf('timeZone')])];
}

/** UTC where the browser does not know its zone: ICU then names one that neither it nor the server takes. */
export function ownTimeZone(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return timeZone === 'Etc/Unknown' ? 'UTC' : timeZone;
}
