// This site in the words of WebAuthn, and what it asks of browsers. A passkey belongs to the host name of DOMAIN_CLIENT.
import type { Config } from '../../../config/config.ts';
import type { FactorRow } from '../factors.ts';

/** The library is read with the first passkey: most servers have none. */
export const readWebAuthn = () => import('@simplewebauthn/server');

/** Ed25519, ECDSA with P-256, RSA: what all authenticators know one of (COSE). */
export const ALGORITHMS = [-8, -7, -257];

export function relyingParty({ server, startup }: Pick<Config, 'server' | 'startup'>) {
  const { hostname, origin } = new URL(server.domainClient);
  return { id: hostname, origin, name: startup.appTitle };
}

export function bytesOfChallenge(challenge: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(challenge, 'base64url'));
}

/** How browsers find the passkeys. */
export function credentialDescriptors(rows: readonly FactorRow[]): { id: string; transports: string[] }[] {
  return rows.flatMap(({ credentialId, transports }) =>
    credentialId === null ? [] : [{ id: credentialId, transports }],
  );
}
