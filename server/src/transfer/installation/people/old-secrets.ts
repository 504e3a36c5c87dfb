// The secrets of an installation, as its CREDS_KEY and CREDS_IV encrypted them: AES-256-CBC in hex digits, for keys with
// the IV of the installation, for actions each with an IV of its own before a colon. What newer versions encrypt, second
// factors among it, is AES-256-CTR as `v3:<IV>:<digits>`.
import { createDecipheriv } from 'node:crypto';

export interface OldSecrets {
  /** 64 hex digits. */
  key: string;
  /** 32 hex digits. */
  iv: string;
}

const IV_DIGITS = 32;

/** @throws Error with one sentence */
export function readOldSecrets(key: string | undefined, iv: string | undefined): OldSecrets | undefined {
  if (!key && !iv) return undefined;
  if (!/^[\da-f]{64}$/i.test(key ?? '') || !/^[\da-f]{32}$/i.test(iv ?? ''))
    throw new Error(
      'LIBRECHAT_CREDS_KEY must be the 64 hex digits of CREDS_KEY and LIBRECHAT_CREDS_IV the 32 of CREDS_IV, both as the other installation has them.',
    );
  return { key: key ?? '', iv: iv ?? '' };
}

/** Null for what these secrets do not decrypt. */
export function decryptOld({ key, iv }: OldSecrets, encrypted: string): string | null {
  const isCounted = encrypted.startsWith('v3:');
  const [first = '', second] = (isCounted ? encrypted.slice(3) : encrypted).split(':');
  const [own, hidden] = second === undefined ? [iv, first] : [first, second];
  if (own.length !== IV_DIGITS || !/^(?:[\da-f]{2})+$/i.test(hidden)) return null;
  try {
    const decipher = createDecipheriv(
      isCounted ? 'aes-256-ctr' : 'aes-256-cbc',
      Buffer.from(key, 'hex'),
      Buffer.from(own, 'hex'),
    );
    const bytes = Buffer.concat([decipher.update(Buffer.from(hidden, 'hex')), decipher.final()]);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
