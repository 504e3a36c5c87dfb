// How a key is written: `pk_`, 256 random bits in 43 letters and digits, and their CRC-32 in six more. So a typing error,
// a key that was cut short and what only looks like one are known without the database.
import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { API_KEY_PREFIX } from '@parley/schema/accounts/api-key-rules';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_BYTES = 32;
/** As many digits of base 62 as 256 bits need. */
const RANDOM_CHARS = 43;
const CHECK_CHARS = 6;
const SHOWN_CHARS = 8;
const FORM = /^pk_[0-9A-Za-z]{49}$/;

export interface NewKey {
  key: string;
  hash: string;
  /** What its owner may see of it later. */
  shown: string;
}

export function makeKey(): NewKey {
  const letters = inBase62(BigInt(`0x${randomBytes(RANDOM_BYTES).toString('hex')}`), RANDOM_CHARS);
  const key = `${API_KEY_PREFIX}${letters}${checkOf(letters)}`;
  return { key, hash: hashOfKey(key), shown: key.slice(0, SHOWN_CHARS) };
}

/** Whether it was made by `makeKey`, as far as its letters tell. */
export function isWellFormed(key: string): boolean {
  if (!FORM.test(key)) return false;
  const letters = key.slice(API_KEY_PREFIX.length, -CHECK_CHARS);
  return key.endsWith(checkOf(letters));
}

export function hashOfKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

function checkOf(letters: string): string {
  return inBase62(BigInt(crc32(letters)), CHECK_CHARS);
}

function inBase62(value: bigint, length: number): string {
  let text = '';
  const base = BigInt(DIGITS.length);
  for (let left = value; text.length < length; left /= base) text = `${DIGITS[Number(left % base)]}${text}`;
  return text;
}
