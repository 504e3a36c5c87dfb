import type { Reason } from '@parley/schema/reasons';

/** Between these, so that clients who were refused together do not come back together. In seconds. */
const RETRY_MIN = 5;
const RETRY_MAX = 15;

/** Credits are there, and other answers that are being written have reserved them: what they do not use comes back. */
export function creditsReserved(): Reason {
  const retryAfterSeconds = RETRY_MIN + Math.floor(Math.random() * (RETRY_MAX - RETRY_MIN + 1));
  return { type: 'credits_reserved', retryAfterSeconds };
}
