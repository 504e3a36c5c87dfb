// A new passkey: offered, and kept once the browser has made it.
import { factors } from '@parley/db/tables/users';
import { withUserLock } from '@parley/db/user-rows';
import { PASSKEY_NAME_MAX, PASSKEYS_MAX } from '@parley/schema/accounts/passkey-rules';
import type { Attestation } from '@parley/schema/accounts/passkeys';
import { sql } from 'drizzle-orm';
import { refuse } from '../../../platform/errors.ts';
import type { Http } from '../../../platform/requests/request-info.ts';
import { browserName, systemName } from '../../account/user-agents.ts';
import type { AuthSession } from '../../../platform/requests/auth-session.ts';
import { assertUser } from '../../users.ts';
import { addedFactor } from '../added-factor.ts';
import { listFactors } from '../factors.ts';
import { renewRecoveryCodes } from '../recovery-codes.ts';
import { consumeChallenge, createChallenge } from '../sign-in-tickets.ts';
import { ALGORITHMS, bytesOfChallenge, credentialDescriptors, readWebAuthn, relyingParty } from './relying-party.ts';
import type { AuthServices } from '../../auth-services.ts';
import type { CoreServices } from '../../../platform/requests/request-services.ts';

/** What a browser makes a passkey with. @throws Refusal `conflict` where there are too many */
export async function newPasskeyOptions(deps: CoreServices, { userId }: AuthSession) {
  const { generateRegistrationOptions } = await readWebAuthn();
  const user = await assertUser(deps.db, userId);
  const own = await listFactors(deps.db.query, userId);
  if (own.length >= PASSKEYS_MAX) refuse(TOO_MANY);
  const { id, name } = relyingParty(deps.config);
  return generateRegistrationOptions({
    rpID: id,
    rpName: name,
    userID: Uint8Array.from(Buffer.from(userId.replaceAll('-', ''), 'hex')),
    userName: user.email,
    userDisplayName: user.name,
    challenge: bytesOfChallenge(await createChallenge(deps.db, { purpose: 'enrol', userId })),
    attestationType: 'none',
    excludeCredentials: credentialDescriptors(own),
    // Found without the name of an account, and opened by a fingerprint, a face or a PIN: then it counts as both factors.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

/**
 * Keeps it, and returns the recovery codes if it is the first second factor.
 * @throws Refusal `passkey_refused`, `conflict` where there are too many
 */
export async function addPasskey(
  deps: AuthServices,
  http: Http,
  by: AuthSession,
  attestation: Attestation,
): Promise<string[] | null> {
  const { userId } = by;
  const made = await verified(deps, userId, attestation);
  const codes = await withUserLock(deps.db.query, userId, async (tx) => {
    const own = await listFactors(tx, userId);
    if (own.length >= PASSKEYS_MAX) refuse(TOO_MANY);
    const [kept] = await tx
      .insert(factors)
      .values({
        userId,
        kind: 'passkey',
        name: nameOf(http),
        credentialId: made.credential.id,
        publicKey: Buffer.from(made.credential.publicKey).toString('base64url'),
        counter: made.credential.counter,
        transports: attestation.response.transports ?? [],
        isBackedUp: made.credentialBackedUp,
        confirmedAt: sql`now()`,
      })
      .onConflictDoNothing()
      .returning({ id: factors.id });
    if (!kept) refuse({ type: 'passkey_refused' });
    return own.length === 0 ? renewRecoveryCodes(tx, deps, userId) : null;
  });
  await addedFactor(deps, http, by, { isFirst: codes !== null });
  return codes;
}

const TOO_MANY = { type: 'conflict', text: 'These are too many passkeys. Please remove one first.' } as const;

async function verified({ config, db }: CoreServices, userId: string, attestation: Attestation) {
  const { verifyRegistrationResponse } = await readWebAuthn();
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(config);
  const { transports, ...response } = attestation.response;
  const result = await verifyRegistrationResponse({
    response: {
      ...attestation,
      response: { ...response, ...(transports && { transports }) },
      clientExtensionResults: {},
    },
    expectedChallenge: (challenge) => consumeChallenge(db, challenge, { purpose: 'enrol', userId }),
    expectedOrigin,
    expectedRPID,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => null);
  return result?.verified ? result.registrationInfo : refuse({ type: 'passkey_refused' });
}

/** Of the browser that has made it, until its owner renames it. */
function nameOf({ headers }: Http): string {
  const userAgent = headers.get('user-agent') ?? '';
  const known = [browserName(userAgent), systemName(userAgent)].filter((name) => name !== null);
  return known.join(' · ').slice(0, PASSKEY_NAME_MAX);
}
