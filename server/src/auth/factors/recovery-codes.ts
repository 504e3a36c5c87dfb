// The codes that stand in for a lost authenticator app. Each works once; only keyed hashes are stored.
import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { Query } from '@parley/db/client';
import { recoveryCodes } from '@parley/db/tables/users';
import { and, count, eq, inArray, isNull, sql } from 'drizzle-orm';
import { base32 } from './base32.ts';
import type { Secrets } from '../../config/parts/secrets.ts';

const CODES = 10;
/** 80 bits each: too many to try. */
const CODE_BYTES = 10;
const GROUP = /.{4}(?=.)/g;

type Keyed = { secrets: Pick<Secrets, 'jwtSecret'> };

/** New ones, in groups of four letters; all earlier ones stop working. */
export async function renewRecoveryCodes(tx: Query, keyed: Keyed, userId: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, () => base32(randomBytes(CODE_BYTES)));
  await removeRecoveryCodes(tx, userId);
  await tx.insert(recoveryCodes).values(codes.map((code) => ({ userId, hash: hashOf(keyed, userId, code) })));
  return codes.map((code) => code.replaceAll(GROUP, '$&-').toLowerCase());
}

/** Whether it was one of theirs that nobody has used; it is used up then. `code` has neither spaces nor dashes. */
export async function consumeRecoveryCode(
  query: Query,
  keyed: Keyed,
  { userId, code }: { userId: string; code: string },
): Promise<boolean> {
  const own = hashOf(keyed, userId, code.toUpperCase());
  const brought = hashOfBrought(keyed, userId, createHash('sha256').update(code.toLowerCase()).digest('hex'));
  const isCode = inArray(recoveryCodes.hash, [own, brought]);
  const used = await query
    .update(recoveryCodes)
    .set({ usedAt: sql`now()` })
    .where(and(eq(recoveryCodes.userId, userId), isCode, isNull(recoveryCodes.usedAt)))
    .returning({ hash: recoveryCodes.hash });
  return used.length > 0;
}

export async function countRecoveryCodes(query: Query, userId: string): Promise<number> {
  const [row] = await query
    .select({ left: count() })
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)));
  return row?.left ?? 0;
}

export async function removeRecoveryCodes(query: Query, userId: string): Promise<void> {
  await query.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
}

/** Backup codes of another installation, of which only the SHA-256 of each is known, in hex digits. They count here, too. */
export async function addBroughtCodes(
  tx: Query,
  keyed: Keyed,
  userId: string,
  codeHashes: readonly string[],
): Promise<void> {
  if (codeHashes.length === 0) return;
  const rows = codeHashes.map((codeHash) => ({ userId, hash: hashOfBrought(keyed, userId, codeHash) }));
  await tx.insert(recoveryCodes).values(rows).onConflictDoNothing();
}

function hashOfBrought({ secrets }: Keyed, userId: string, codeHash: string): string {
  return createHmac('sha256', secrets.jwtSecret).update(`brought|${userId}|${codeHash}`).digest('hex');
}

function hashOf({ secrets }: Keyed, userId: string, code: string): string {
  return createHmac('sha256', secrets.jwtSecret).update(`recovery|${userId}|${code}`).digest('hex');
}
