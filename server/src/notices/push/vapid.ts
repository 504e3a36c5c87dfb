// The key pair by which push services know this server (VAPID, RFC 8292). It follows from the server's secret, so that
// all processes have the same one, a backup has it, and nothing more needs to be stored.
import { createECDH, hkdfSync } from 'node:crypto';

export interface VapidKeys {
  /** Both in base64url: a point of P-256 and its scalar. */
  publicKey: string;
  privateKey: string;
}

/** The order of P-256 (FIPS 186-4, D.1.2.3). */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
/** 64 more bits than the order has, so that no scalar is more likely than another (FIPS 186-4, B.4.1). */
const SEED_BYTES = 40;
const SCALAR_BYTES = 32;

/** `secret` are hex digits. */
export function vapidKeys(secret: string): VapidKeys {
  const seed = Buffer.from(hkdfSync('sha256', Buffer.from(secret, 'hex'), '', 'parley vapid', SEED_BYTES));
  const scalar = (BigInt(`0x${seed.toString('hex')}`) % (ORDER - 1n)) + 1n;
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(Buffer.from(scalar.toString(16).padStart(2 * SCALAR_BYTES, '0'), 'hex'));
  return {
    publicKey: pair.getPublicKey().toString('base64url'),
    privateKey: Buffer.from(scalar.toString(16).padStart(2 * SCALAR_BYTES, '0'), 'hex').toString('base64url'),
  };
}
