/** A bearer is renewed this long before it ends. */
const HEAD_START = 60_000;
/** However short a token lives, it is not renewed more often than this. */
const SHORTEST = 15_000;

/**
 * How long from its arrival a token may be used before it should be renewed, in milliseconds; null when it does not say.
 * Counted from `iat` to `exp` rather than to this machine's clock, which may be minutes off.
 */
export function usableFor(token: string): number | null {
  const { iat, exp } = claimsOf(token);
  if (typeof iat !== 'number' || typeof exp !== 'number') return null;
  return Math.max(SHORTEST, (exp - iat) * 1000 - HEAD_START);
}

function claimsOf(token: string): { iat?: unknown; exp?: unknown } {
  try {
    const payload = token.split('.')[1] ?? '';
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    return typeof claims === 'object' && claims !== null ? claims : {};
  } catch {
    return {};
  }
}
