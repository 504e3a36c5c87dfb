// Password hashing: argon2id in PHC form; bcrypt of imported accounts is verified, and renewed at sign-in. Passwords
// are hashed exactly as typed, neither trimmed nor normalised.
import { hash, verify } from '@node-rs/argon2';
import { createSemaphore } from '../../platform/semaphore.ts';

/** The minimum of OWASP and of ASVS 5.0 appendix C; about 20 ms on a small machine. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const PREFIX = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$`;

/** A valid hash of the same cost that no known password matches. */
const UNKNOWN_USER_HASH = `${PREFIX}${'c2FsdCBvZiBub2JvZHk'.padEnd(22, 'A')}$${'A'.repeat(43)}`;

/**
 * Hashing runs on libuv's four threads. A limit of three leaves one for files and DNS, and bounds memory under many
 * sign-ins. The thread pool belongs to the process, and so does this semaphore.
 */
const withSlot = createSemaphore(3);

export function hashPassword(password: string): Promise<string> {
  return withSlot(() => hash(password, COST));
}

/** `stored` is null for an unknown user or one without a password: the result is false after the same time. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const matches = await withSlot(() =>
    stored !== null && isBcrypt(stored)
      ? verifyBcrypt(stored, password)
      : verify(stored ?? UNKNOWN_USER_HASH, password),
  );
  return stored !== null && matches;
}

/** Whether a hash is one of bcrypt, as accounts of an imported installation have until their first sign-in. */
export function isBcrypt(stored: string): boolean {
  return /^\$2[aby]\$(0[4-9]|1[0-5])\$[./A-Za-z\d]{53}$/.test(stored);
}

/** Loaded on first use: it is needed once for each imported account. */
async function verifyBcrypt(stored: string, password: string): Promise<boolean> {
  const { compare } = await import('bcryptjs');
  return compare(password, stored);
}

/** Whether a hash uses parameters other than the current ones. */
export function isOutdated(stored: string): boolean {
  return !stored.startsWith(PREFIX);
}
