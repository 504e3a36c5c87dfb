import type { RefusedRequest } from '../errors.ts';
import { messageFor } from '../present/error-messages.ts';

/**
 * Clients send the expiry of the key that they saved. Expired keys are erased, so it is the client that still knows
 * why there is none.
 */
export function withExpiry(refused: RefusedRequest, { key }: { key?: unknown }): RefusedRequest {
  const { reason } = refused;
  const expiry = typeof key === 'string' ? new Date(key) : null;
  if (reason.type !== 'no_user_key' || !expiry || !(expiry.getTime() <= Date.now())) return refused;
  const expired = { type: 'expired_user_key', endpoint: reason.endpoint, expiredAt: expiry.toISOString() } as const;
  return { ...refused, reason: expired, text: messageFor(expired) };
}
