import { Refusal } from '../../platform/errors.ts';

/**
 * Expired keys are erased. Clients of the REST API send when the key that they saved expires, so it is they who still
 * know why there is none.
 */
export function withExpiry(refusal: Refusal, keyExpiresAt: string | undefined): Refusal {
  const { reason } = refusal;
  const expiry = new Date(keyExpiresAt ?? NaN);
  if (reason.type !== 'no_user_key' || !(expiry.getTime() <= Date.now())) return refusal;
  return new Refusal({ type: 'expired_user_key', endpoint: reason.endpoint, expiredAt: expiry.toISOString() });
}
