import type { Message } from '@parley/schema/messages';
import type { Reason } from '@parley/schema/reasons';

/** When it makes sense to ask again, in milliseconds of this machine's clock; null for at once. */
export function endOfWait(
  { reason, updatedAt }: Pick<Message, 'reason' | 'updatedAt'>,
  now = Date.now(),
): number | null {
  const seconds = reason ? secondsOf(reason) : null;
  if (seconds === null) return null;
  const end = Date.parse(updatedAt) + seconds * 1000;
  // A clock that goes wrong must not make anybody wait longer than they were told.
  return Math.min(end, now + seconds * 1000);
}

/** As minutes and seconds. */
export function clockOf(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

function secondsOf(reason: Reason): number | null {
  switch (reason.type) {
    case 'message_limit':
      return reason.retryAfterSeconds ?? null;
    case 'provider_rate_limited':
      return reason.retryAfterSeconds;
    default:
      return null;
  }
}
