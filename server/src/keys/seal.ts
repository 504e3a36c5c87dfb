// What users keep with us so that we can ask in their name, encrypted at rest: AES-256-GCM, a nonce of its own for each
// value, bound to its user and name so that no row can be put in the place of another.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

export interface Place {
  userId: string;
  name: string;
}

export interface Seal {
  seal(value: string, place: Place): string;
  /** Null when it was sealed for another place or by a secret that is not known any more, or has been tampered with. */
  open(sealed: string, place: Place): string | null;
}

const VERSION = 'v1';
const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Seals with the first secret and opens with any; each is 64 hex digits. */
export function createSeal(secret: string, older: readonly string[]): Seal {
  const current = keyOf(secret);
  const known = [current, ...older.map(keyOf)];
  return {
    seal(value, place) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, current.bytes, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(boundTo(place));
      const hidden = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
      return [VERSION, current.id, Buffer.concat([nonce, hidden, cipher.getAuthTag()]).toString('base64url')].join('.');
    },
    open(sealed, place) {
      const [version, id, text = ''] = sealed.split('.');
      const key = known.find((candidate) => candidate.id === id);
      return key && version === VERSION ? decrypt(key.bytes, Buffer.from(text, 'base64url'), place) : null;
    },
  };
}

function decrypt(key: Buffer, bytes: Buffer, place: Place): string | null {
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  try {
    const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(boundTo(place));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return null;
  }
}

/** A user's id has always the same length, so that no two places are written alike. */
function boundTo({ userId, name }: Place): Buffer {
  return Buffer.from(`${userId}|${name}|${VERSION}`);
}

/** A secret and the eight digits by which a value says that it was this one. */
function keyOf(secret: string): { id: string; bytes: Buffer } {
  const bytes = Buffer.from(secret, 'hex');
  return { id: createHash('sha256').update('key id').update(bytes).digest('hex').slice(0, 8), bytes };
}
