import type { TFunction } from 'i18next';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The offered lifetimes of a key, in milliseconds. */
export const LIFETIMES = [30 * MINUTE, 2 * HOUR, 12 * HOUR, DAY, 7 * DAY, 30 * DAY];
export const USUAL_LIFETIME = 12 * HOUR;

export function describeLifetime(ms: number, t: TFunction): string {
  if (ms < HOUR) return t('com_endpoint_config_key_minutes', { count: ms / MINUTE });
  if (ms < DAY) return t('com_endpoint_config_key_hours', { count: ms / HOUR });
  return t('com_endpoint_config_key_days', { count: ms / DAY });
}
