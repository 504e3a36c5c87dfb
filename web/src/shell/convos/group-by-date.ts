import type { Convo } from '@parley/schema/convos';

export type DateGroupId =
  'today' | 'yesterday' | 'previous_7_days' | 'previous_30_days' | `${number}-${number}` | `${number}`;

export interface DateGroup {
  id: DateGroupId;
  /** The month or the year in the reader's words; null where the id is one of the four near groups. */
  name: string | null;
  convos: Convo[];
}

/**
 * Convos under the calendar days, in the reader's time zone, that lie between their `updatedAt` and `now`: today,
 * yesterday, 7 days, 30 days, the months of this year, then years. A date in the future (clocks differ) is today.
 * The order of the convos is kept, and so is the order in which groups first appear.
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

/** Counts local calendar days: unlike elapsed time, it does not slip in the weeks when a day has 23 or 25 hours. */
function dayNumber(date: Date): number {
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000;
}

/** Formatters are made when one is needed: that takes longer than all the rest. */
function nameOf(id: DateGroupId, date: Date, locale: string): string | null {
  if (id.includes('-')) return date.toLocaleDateString(locale, { month: 'long' });
  return /^\d/.test(id) ? date.toLocaleDateString(locale, { year: 'numeric' }) : null;
}
