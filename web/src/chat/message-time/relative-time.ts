import { formatDate } from '../../lib/format-date.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Older times are dates. */
const RELATIVE_MAX = 7 * DAY_MS;

/** How long ago a time is, such as "5 minutes ago"; after a week its date. With a clock that is ahead it is "now". */
export function relativeTime(iso: string, locale: string, now: number): string {
  const age = Math.max(0, now - Date.parse(iso));
  if (Number.isNaN(age)) return '';
  if (age >= RELATIVE_MAX) return formatDate(iso, locale, new Date(now));
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  if (age < MINUTE_MS) return format.format(0, 'second');
  if (age < HOUR_MS) return format.format(-Math.floor(age / MINUTE_MS), 'minute');
  if (age < DAY_MS) return format.format(-Math.floor(age / HOUR_MS), 'hour');
  return format.format(-daysBetween(new Date(iso), new Date(now)), 'day');
}

/** Nights between two times, so that "yesterday" is the day before. */
function daysBetween(from: Date, to: Date): number {
  const midnight = (date: Date) => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
  return Math.round((midnight(to) - midnight(from)) / DAY_MS);
}
