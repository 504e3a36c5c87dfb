// Tests of this room: tests/unit/keys, tests/integration/keys.

// Encrypts users' provider keys at rest: AES-256-GCM with a random nonce per value, bound to user and endpoint, so that
// one row cannot replace another.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** The user and endpoint that a value is bound to. */
export interface KeyOwner {
  userId: string;
  name: string;
}

export interface Encryption {
  encrypt(value: string, owner: KeyOwner): string;
  /** Null when it was encrypted for another owner, with an unknown secret, or was tampered with. */
  decrypt(encrypted: string, owner: KeyOwner): string | null;
}

const VERSION = 'v1';
const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts with the first secret and decrypts with any; each has 64 hex digits. */
export function createEncryption(secret: string, older: readonly string[]): Encryption {
  const current = keyOf(secret);
  const known = [current, ...older.map(keyOf)];
  return {
    encrypt(value, owner) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, current.bytes, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(boundTo(owner));
      const hidden = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
      return [VERSION, current.id, Buffer.concat([nonce, hidden, cipher.getAuthTag()]).toString('base64url')].join('.');
    },
    decrypt(encrypted, owner) {
      const [version, id, text = ''] = encrypted.split('.');
      const key = known.find((candidate) => candidate.id === id);
      return key && version === VERSION ? decryptBytes(key.bytes, Buffer.from(text, 'base64url'), owner) : null;
    },
  };
}

function decryptBytes(key: Buffer, bytes: Buffer, owner: KeyOwner): string | null {
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  try {
    const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(boundTo(owner));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return null;
  }
}

/** Unambiguous, because all user ids have the same length. */
function boundTo({ userId, name }: KeyOwner): Buffer {
  return Buffer.from(`${userId}|${name}|${VERSION}`);
}

/** A secret, and the eight hex digits that identify it in encrypted values. */
function keyOf(secret: string): { id: string; bytes: Buffer } {
  const bytes = Buffer.from(secret, 'hex');
  return { id: createHash('sha256').update('key id').update(bytes).digest('hex').slice(0, 8), bytes };
}
