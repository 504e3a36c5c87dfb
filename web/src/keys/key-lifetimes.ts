import type { TFunction } from 'i18next';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The offered lifetimes of a key, in milliseconds. */
export const LIFETIMES = [30 * MINUTE_MS, 2 * HOUR_MS, 12 * HOUR_MS, DAY_MS, 7 * DAY_MS, 30 * DAY_MS];
export const USUAL_LIFETIME = 12 * HOUR_MS;

export function describeLifetime(ms: number, t: TFunction): string {
  if (ms === 7 * DAY_MS) return t('com_key_for_week');
  if (ms === 30 * DAY_MS) return t('com_key_for_month');
  if (ms < HOUR_MS) return t('com_endpoint_config_key_minutes', { count: ms / MINUTE_MS });
  if (ms < DAY_MS) return t('com_endpoint_config_key_hours', { count: ms / HOUR_MS });
  return t('com_endpoint_config_key_days', { count: ms / DAY_MS });
}
