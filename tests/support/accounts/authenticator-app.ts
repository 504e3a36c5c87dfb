// The authenticator app of a person: the codes for a secret as the site shows it.
import { totpAt } from '@parley/server/auth/factors/totp';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const STEP_MS = 30_000;

/**
 * The code of the step that is now, or one step later: both are accepted for half a minute at least. One of a step before
 * may be too old by the time it arrives, unless the clock stands still. `secret` is base 32; spaces count for nothing.
 */
export function authenticatorCode(secret: string, ahead = 0): string {
  return totpAt(secretBytes(secret), Math.floor(Date.now() / STEP_MS) + ahead);
}

export function secretBytes(secret: string): Buffer {
  const letters = [...secret.replaceAll(' ', '')];
  const bits = letters.map((letter) => LETTERS.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
