// What a passkey has signed: asked for, and verified.
import { factors } from '@parley/db/tables/users';
import type { Assertion } from '@parley/schema/accounts/passkeys';
import { and, eq, isNotNull, lt, or, sql } from 'drizzle-orm';
import { audit } from '../../../platform/audit.ts';
import { listFactors, type FactorRow } from '../factors.ts';
import { consumeChallenge, createChallenge, type ChallengeUse } from '../sign-in-tickets.ts';
import { bytesOfChallenge, credentialDescriptors, readWebAuthn, relyingParty } from './relying-party.ts';
import type { CoreServices } from '../../../platform/requests/request-services.ts';

type Verifying = CoreServices;

/** What a browser asks a passkey to sign: one of the owner's, or of a sign-in any that the browser has for this site. */
export async function passkeyOptions(deps: Verifying, use: ChallengeUse) {
  const { generateAuthenticationOptions } = await readWebAuthn();
  const own = use.purpose === 'passkey' ? [] : await listFactors(deps.db.query, use.userId);
  return generateAuthenticationOptions({
    rpID: relyingParty(deps.config).id,
    challenge: bytesOfChallenge(await createChallenge(deps.db, use)),
    allowCredentials: credentialDescriptors(own),
    userVerification: 'required',
  });
}

/**
 * The passkey that has signed; null for one that is unknown or another's, that did not verify its owner, and for a
 * challenge that was used, is too old or has another purpose. A counter that goes back tells of a copy, and is refused,
 * unless the passkey is one that is copied to other devices.
 */
export async function verifyPasskey(
  deps: Verifying,
  assertion: Assertion,
  use: ChallengeUse,
): Promise<FactorRow | null> {
  const row = await findPasskey(deps, assertion.id);
  if (!row?.credentialId || !row.publicKey) return null;
  if (use.purpose !== 'passkey' && row.userId !== use.userId) return null;
  const { verifyAuthenticationResponse } = await readWebAuthn();
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(deps.config);
  const { userHandle, ...signed } = assertion.response;
  const result = await verifyAuthenticationResponse({
    response: {
      ...assertion,
      response: { ...signed, ...(userHandle != null && { userHandle }) },
      clientExtensionResults: {},
    },
    expectedChallenge: (challenge) => consumeChallenge(deps.db, challenge, use),
    expectedOrigin,
    expectedRPID,
    // The counter is compared below, for all processes.
    credential: { id: row.credentialId, publicKey: bytesOfChallenge(row.publicKey), counter: 0 },
    requireUserVerification: true,
  }).catch(() => null);
  if (!result?.verified) return null;
  const { newCounter, credentialBackedUp } = result.authenticationInfo;
  if (await advance(deps, row, newCounter, credentialBackedUp)) return row;
  audit(deps, 'passkey_counter_back', { userId: row.userId });
  return null;
}

async function findPasskey({ db }: Verifying, credentialId: string): Promise<FactorRow | undefined> {
  const [row] = await db.query
    .select()
    .from(factors)
    .where(and(eq(factors.credentialId, credentialId), isNotNull(factors.confirmedAt)));
  return row;
}

/** False when the counter does not go on. */
async function advance(
  { db }: Verifying,
  { userId, id }: FactorRow,
  counter: number,
  isBackedUp: boolean,
): Promise<boolean> {
  const isUncounted = and(eq(factors.counter, 0), sql`${counter}::bigint = 0`);
  const goesOn = or(eq(factors.isBackedUp, true), lt(factors.counter, counter), isUncounted);
  const used = await db.query
    .update(factors)
    .set({ counter, isBackedUp, lastUsedAt: sql`now()` })
    .where(and(eq(factors.userId, userId), eq(factors.id, id), goesOn))
    .returning({ id: factors.id });
  return used.length > 0;
}
