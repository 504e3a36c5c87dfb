// Days and months of budgets and of usage, in UTC.
import type { BudgetPeriod } from '@parley/schema/reasons';

/** As `2026-11-27`. */
export function startOfPeriod(period: BudgetPeriod, now: Date): string {
  const day = now.toISOString().slice(0, 10);
  return period === 'day' ? day : `${day.slice(0, 7)}-01`;
}

/** Tells when the next one begins, as an ISO date. */
export function renewal(period: BudgetPeriod, now: Date): string {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  return new Date(period === 'day' ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1)).toISOString();
}
