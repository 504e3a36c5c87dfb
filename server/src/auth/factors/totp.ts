// Time-based one-time passwords as authenticator apps make them (RFC 6238 with its defaults: SHA-1, 6 digits, 30
// seconds).
import { createHmac, randomBytes } from 'node:crypto';
import { isSameSecret } from '../../platform/secrets.ts';
import { base32 } from './base32.ts';

const STEP_SECONDS = 30;
const DIGITS = 6;
/** As long as a SHA-1, as RFC 4226 recommends. */
const SECRET_BYTES = 20;
/** How many steps a clock may be ahead or behind (RFC 6238, 5.2 recommends one). */
const DRIFT_STEPS = 1;

export function newTotpSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

/** What an authenticator app reads from a picture; `issuer` and `account` are shown beside the codes. */
export function totpUri(secret: Buffer, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}`;
}

/** The time step whose code this is, near `now` (milliseconds); null for a wrong code. */
export function matchingStep(secret: Buffer, code: string, now: number): number | null {
  const current = Math.floor(now / 1000 / STEP_SECONDS);
  for (let step = current - DRIFT_STEPS; step <= current + DRIFT_STEPS; step++)
    if (isSameSecret(code, totpAt(secret, step))) return step;
  return null;
}

/** The code of a time step. */
export function totpAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac('sha1', secret).update(counter).digest();
  const offset = (hash.at(-1) ?? 0) & 15;
  const number = (hash.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 10 ** DIGITS;
  return String(number).padStart(DIGITS, '0');
}
