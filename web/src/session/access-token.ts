// Tests of this room: tests/unit/web/auth, tests/e2e/auth/session.test.ts.
import { asFields } from '@parley/schema/json';

/** Milliseconds before its expiry at which a token is renewed. */
const RENEW_BEFORE_END_MS = 60_000;
/** The minimum time between renewals in milliseconds, however short the token's lifetime. */
const SHORTEST_USE_MS = 15_000;

/**
 * How long after its arrival a token should be renewed, in milliseconds; null if it has no times. Computed from `iat`
 * and `exp`, not from the local clock, which may be minutes off.
 */
export function msUntilRenewal(token: string): number | null {
  const { iat, exp } = claimsOf(token);
  if (typeof iat !== 'number' || typeof exp !== 'number') return null;
  return Math.max(SHORTEST_USE_MS, (exp - iat) * 1000 - RENEW_BEFORE_END_MS);
}

function claimsOf(token: string): { iat?: unknown; exp?: unknown } {
  try {
    const payload = token.split('.')[1] ?? '';
    return asFields(JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))));
  } catch {
    return {};
  }
}
