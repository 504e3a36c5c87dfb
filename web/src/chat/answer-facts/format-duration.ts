const SECOND = 1_000;

/** A duration in milliseconds, such as "4.2 sec", "12 sec" or "2 min 5 sec". */
export function formatDuration(ms: number, language: string): string {
  const say = (value: number, unit: 'second' | 'minute', digits = 0) =>
    new Intl.NumberFormat(language, {
      style: 'unit',
      unit,
      unitDisplay: 'short',
      maximumFractionDigits: digits,
    }).format(value);
  if (ms < 10 * SECOND) return say(Math.max(ms / SECOND, 0.1), 'second', 1);
  const seconds = Math.round(ms / SECOND);
  if (seconds < 60) return say(seconds, 'second');
  return `${say(Math.floor(seconds / 60), 'minute')} ${say(seconds % 60, 'second')}`;
}
