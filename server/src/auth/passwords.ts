// Passwords as argon2id hashes in PHC form. The exact characters count: nothing is trimmed or normalised.
import { hash, verify } from '@node-rs/argon2';

/** The floor of OWASP and of ASVS 5.0 appendix C; about 20 ms on a small machine. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const PREFIX = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$`;

/** The form of a real hash, of the same cost, which no password is known for. */
const NOBODYS_HASH = `${PREFIX}${'c2FsdCBvZiBub2JvZHk'.padEnd(22, 'A')}$${'A'.repeat(43)}`;

/**
 * Hashing runs on libuv's four threads. One is left to files and name lookups, and the memory of a rush of sign-ins
 * is bounded. The threads are the process's, and so is this queue.
 */
const inTurn = createTurns(3);

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, COST));
}

/** `stored` is null for an unknown user or one without a password: that takes as long and is false. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const matches = await inTurn(() => verify(stored ?? NOBODYS_HASH, password));
  return stored !== null && matches;
}

/** Whether a hash was made with other parameters than today's. */
export function isOutdated(stored: string): boolean {
  return !stored.startsWith(PREFIX);
}

/** At most `max` at a time; the others wait in the order they came. */
export function createTurns(max: number) {
  const waiting: (() => void)[] = [];
  let running = 0;

  return async function take<T>(work: () => Promise<T>): Promise<T> {
    if (running < max) running++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
