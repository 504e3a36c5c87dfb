// Whether a proof of a second factor is right. What was right is used up, for all processes.
import type { Logger } from 'pino';
import type { Query, Db } from '@parley/db/client';
import { factors } from '@parley/db/tables/users';
import type { Assertion } from '@parley/schema/accounts/passkeys';
import { and, eq, lt, sql } from 'drizzle-orm';
import { audit } from '../../platform/audit.ts';
import { refuse } from '../../platform/errors.ts';
import type { Http } from '../../platform/requests/request-info.ts';
import { factorOwner, listFactors, type FactorRow } from './factors.ts';
import { verifyPasskey } from './passkeys/verify-passkey.ts';
import { consumeRecoveryCode } from './recovery-codes.ts';
import { matchingStep } from './totp.ts';
import type { Config } from '../../config/config.ts';
import type { Encryption } from '../../keys/encryption.ts';
import type { Secrets } from '../../config/parts/secrets.ts';

export type Proof = 'totp' | 'recovery' | 'passkey';

export interface GivenProof {
  userId: string;
  code?: string | undefined;
  assertion?: Assertion | undefined;
}

/**
 * Whether the code is one of the user's authenticator app or a recovery code, or the assertion is of one of their
 * passkeys; null for a wrong one. `now` is in milliseconds.
 */
export async function proveFactor(
  deps: { config: Config; db: Db; encryption: Encryption; secrets: Secrets; log: Logger },
  { userId, code, assertion }: GivenProof,
  now: number = Date.now(),
): Promise<Proof | null> {
  if (assertion) return (await verifyPasskey(deps, assertion, { purpose: 'factor', userId })) ? 'passkey' : null;
  const { query } = deps.db;
  const typed = (code ?? '').replaceAll(/[\s-]/g, '');
  const rows = await listFactors(query, userId);
  if (rows.length === 0) return null;
  if (!/^\d{6}$/.test(typed))
    return (await consumeRecoveryCode(query, deps, { userId, code: typed })) ? 'recovery' : null;
  const app = rows.find(({ kind }) => kind === 'totp');
  const step = app ? stepOfCode(deps, app, typed, now) : null;
  return app && step !== null && (await consumeStep(query, app, step)) ? 'totp' : null;
}

/** The time step whose code this is; null for a wrong code, and where the secret cannot be decrypted any more. */
export function stepOfCode(
  { encryption }: { encryption: Encryption },
  { userId, id, encrypted }: Pick<FactorRow, 'userId' | 'id' | 'encrypted'>,
  code: string,
  now: number,
): number | null {
  const secret = encryption.decrypt(encrypted, factorOwner(userId, id));
  return secret === null ? null : matchingStep(Buffer.from(secret, 'base64'), code, now);
}

/** False when this step, or a later one, was used. */
async function consumeStep(query: Query, { userId, id }: FactorRow, step: number): Promise<boolean> {
  const used = await query
    .update(factors)
    .set({ lastStep: step, lastUsedAt: sql`now()` })
    .where(and(eq(factors.userId, userId), eq(factors.id, id), lt(factors.lastStep, step)))
    .returning({ id: factors.id });
  return used.length > 0;
}

/** @throws Refusal `wrong_code`, `passkey_refused` */
export function refuseProof(
  deps: { log: Logger },
  http: Http,
  by: { userId: string; sid?: string },
  { assertion }: Pick<GivenProof, 'assertion'>,
): never {
  audit(deps, 'factor_refused', { ...by, ip: http.ip });
  refuse({ type: assertion ? 'passkey_refused' : 'wrong_code' });
}
