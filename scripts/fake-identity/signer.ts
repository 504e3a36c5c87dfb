/** Signs tokens as the sites do, and publishes the keys to verify them. */
import { createHmac, createSign, generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto';

export interface Signer {
  /** The published key set. */
  keys(): { keys: object[] };
  /** Changes the key; only the new one is published. */
  rotate(): void;
  sign(claims: object): string;
  /** Signs with an unpublished key under the published key's id. */
  forge(claims: object): string;
  /** Signs with an unpublished key, which the token's header contains. */
  bringKey(claims: object): string;
  /** Signs with the published key as if it were a shared secret. */
  confuse(claims: object): string;
}

interface Key {
  kid: string;
  privateKey: KeyObject;
  publicKey: KeyObject;
}

export function createSigner(): Signer {
  let current = newKey();
  const stranger = newKey();
  return {
    keys: () => ({
      keys: [{ ...current.publicKey.export({ format: 'jwk' }), kid: current.kid, alg: 'RS256', use: 'sig' }],
    }),
    rotate: () => void (current = newKey()),
    sign: (claims) => signWith(current, current.kid, claims),
    forge: (claims) => signWith(stranger, current.kid, claims),
    bringKey: (claims) => signWith(stranger, undefined, claims, stranger.publicKey.export({ format: 'jwk' })),
    confuse(claims) {
      const pem = current.publicKey.export({ format: 'pem', type: 'spki' }).toString();
      return signedBySecret(claims, pem, current.kid);
    },
  };
}

export function unsigned(claims: object): string {
  return `${encode({ alg: 'none', typ: 'JWT' }, claims)}.`;
}

export function signedBySecret(claims: object, secret: string, kid?: string): string {
  const text = encode({ alg: 'HS256', typ: 'JWT', kid }, claims);
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

function newKey(): Key {
  return { kid: randomUUID(), ...generateKeyPairSync('rsa', { modulusLength: 2048 }) };
}

function signWith({ privateKey }: Key, kid: string | undefined, claims: object, jwk?: object): string {
  const text = encode({ alg: 'RS256', typ: 'JWT', kid, jwk }, claims);
  return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey, 'base64url')}`;
}

function encode(...parts: object[]): string {
  return parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
}
