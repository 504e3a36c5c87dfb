// Second factors of people: the secret of the authenticator app, decrypted and encrypted anew, and the backup codes.
import { randomUUID } from 'node:crypto';
import { factors, users } from '@parley/db/tables/users';
import { and, eq, isNotNull } from 'drizzle-orm';
import * as z from 'zod';
import { base32Bytes } from '../../../auth/factors/base32.ts';
import { factorOwner } from '../../../auth/factors/factors.ts';
import { addBroughtCodes } from '../../../auth/factors/recovery-codes.ts';
import type { Target } from '../target.ts';
import { decryptOld } from './old-secrets.ts';

const BackupCode = z.object({ codeHash: z.string().regex(/^[\da-f]{64}$/i), used: z.boolean().catch(false) });

/** The fields of a user that tell of a second factor, as the documents have them. */
export const factorFields = {
  twoFactorEnabled: z.boolean().catch(false),
  totpSecret: z.string().max(4096).nullish().catch(null),
  backupCodes: z
    .array(z.unknown())
    .catch([])
    .transform((codes) => codes.flatMap((code) => BackupCode.safeParse(code).data ?? []).slice(0, 100)),
};

const Factor = z.object(factorFields);
export type FactorOfPerson = z.infer<typeof Factor>;

/** A secret that is stored plain, as early versions did: base 32 as an app reads it. */
const PLAIN_SECRET = /^[A-Z2-7]{16,128}=*$/i;

/**
 * Takes the factor along: `taken`, or `asked` where it cannot be decrypted, so that the person adds one before anything
 * else; null for who has none, there or already here.
 */
export async function bringFactor(
  { db, isDry, encryption, oldSecrets, jwtSecret }: Target,
  userId: string,
  { twoFactorEnabled, totpSecret, backupCodes }: FactorOfPerson,
): Promise<'taken' | 'asked' | null> {
  if (!twoFactorEnabled) return null;
  if ((await db.query.$count(factors, and(eq(factors.userId, userId), isNotNull(factors.confirmedAt)))) > 0)
    return null;
  const plain = totpSecret ? plainSecret(totpSecret, oldSecrets) : null;
  const secret = plain === null ? null : base32Bytes(plain);
  const isTaken = secret !== null && encryption !== undefined;
  if (isDry) return isTaken ? 'taken' : 'asked';
  if (!isTaken) {
    await db.query.update(users).set({ mustAddFactor: true }).where(eq(users.id, userId));
    return 'asked';
  }
  const id = randomUUID();
  const encrypted = encryption.encrypt(secret.toString('base64'), factorOwner(userId, id));
  const confirmedAt = new Date().toISOString();
  await db.query.transaction(async (tx) => {
    await tx.insert(factors).values({ userId, id, kind: 'totp', encrypted, confirmedAt });
    const unused = backupCodes.filter(({ used }) => !used).map(({ codeHash }) => codeHash.toLowerCase());
    if (jwtSecret !== undefined) await addBroughtCodes(tx, { secrets: { jwtSecret } }, userId, unused);
    await tx.update(users).set({ mustAddFactor: false }).where(eq(users.id, userId));
  });
  return 'taken';
}

function plainSecret(stored: string, oldSecrets: Target['oldSecrets']): string | null {
  if (PLAIN_SECRET.test(stored)) return stored;
  const plain = oldSecrets ? decryptOld(oldSecrets, stored) : null;
  return plain !== null && PLAIN_SECRET.test(plain) ? plain : null;
}
