import type { Convo } from '@parley/schema/convos/convos';

export type DateGroupId =
  | 'today'
  | 'yesterday'
  | 'previous_7_days'
  | 'previous_30_days'
  | `${number}-${number}`
  | `${number}`;

export interface DateGroup {
  id: DateGroupId;
  /** The localized month or year; null for the four recent groups. */
  name: string | null;
  convos: Convo[];
}

/**
 * Groups convos by the calendar days between `updatedAt` and `now` in the user's time zone: today, yesterday, 7 days,
 * 30 days, the months of this year, then years. A future date (clock skew) counts as today. Keeps the order of the
 * convos; groups are in the order of their first convo.
 */
export function groupByDate(convos: Convo[], now: Date, locale: string): DateGroup[] {
  const groups = new Map<DateGroupId, DateGroup>();
  for (const convo of convos) {
    const date = new Date(convo.updatedAt);
    const id = groupOf(date, now);
    const group = groups.get(id) ?? { id, name: nameOf(id, date, locale), convos: [] };
    group.convos.push(convo);
    groups.set(id, group);
  }
  return [...groups.values()];
}

function groupOf(date: Date, now: Date): DateGroupId {
  const days = dayNumber(now) - dayNumber(date);
  if (!(days > 0)) return 'today';
  if (days === 1) return 'yesterday';
  if (days <= 7) return 'previous_7_days';
  if (days <= 30) return 'previous_30_days';
  return date.getFullYear() === now.getFullYear()
    ? `${date.getFullYear()}-${date.getMonth()}`
    : `${date.getFullYear()}`;
}

/** The number of the local calendar day. Elapsed time would be off by one around days of 23 or 25 hours. */
function dayNumber(date: Date): number {
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000;
}

/** Creates a formatter only when needed: that costs more than all the rest. */
function nameOf(id: DateGroupId, date: Date, locale: string): string | null {
  if (id.includes('-')) return date.toLocaleDateString(locale, { month: 'long' });
  return /^\d/.test(id) ? date.toLocaleDateString(locale, { year: 'numeric' }) : null;
}
