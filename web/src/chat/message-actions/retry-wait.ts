import type { Message } from '@parley/schema/messages/messages';
import type { Reason } from '@parley/schema/reasons';
import { formatNumber } from '../../lib/format-number.ts';

/** The earliest sensible retry, in milliseconds of the local clock; null for now. */
export function retryTime(
  { reason, updatedAt }: Pick<Message, 'reason' | 'updatedAt'>,
  now = Date.now(),
): number | null {
  const seconds = reason ? secondsOf(reason) : null;
  if (seconds === null) return null;
  const end = Date.parse(updatedAt) + seconds * 1000;
  // An inaccurate clock must not extend the wait beyond what the server said.
  return Math.min(end, now + seconds * 1000);
}

/** Formats seconds as minutes and seconds, with the digits of a language. */
export function formatCountdown(seconds: number, locale: string): string {
  const twoDigits = new Intl.NumberFormat(locale, { minimumIntegerDigits: 2 });
  return `${formatNumber(Math.floor(seconds / 60), locale)}:${twoDigits.format(seconds % 60)}`;
}

function secondsOf(reason: Reason): number | null {
  switch (reason.type) {
    case 'message_limit':
      return reason.retryAfterSeconds ?? null;
    case 'provider_rate_limited':
    case 'credits_reserved':
      return reason.retryAfterSeconds;
    default:
      return null;
  }
}
