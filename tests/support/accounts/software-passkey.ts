// A passkey in software: it makes and signs what a browser and its authenticator would (WebAuthn, level 2), with a real
// key, CBOR and COSE.
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

export interface SoftwarePasskey {
  id: string;
  /** How often it was used. */
  counter: number;
  /** What `navigator.credentials.create` gives, as JSON. */
  attestation: (options: { challenge: string }, changes?: Changes) => ReturnType<typeof attest>;
  /** What `navigator.credentials.get` gives, as JSON. */
  assertion: (options: { challenge: string }, changes?: Changes) => ReturnType<typeof assert>;
}

/** What is not as it should be. */
interface Changes {
  origin?: string;
  rpId?: string;
  isVerified?: boolean;
  type?: string;
}

interface Credential {
  idBytes: Buffer;
  publicKey: KeyObject;
  privateKey: KeyObject;
  site: string;
  isBackedUp: boolean;
}

/** The bits of an authenticator's flags: present, verified, may be backed up, is backed up, brings a new key. */
const FLAGS = { present: 1, verified: 4, canBackUp: 8, isBackedUp: 16, newKey: 64 };

/** `counts` is how far each use moves the counter. */
export function createSoftwarePasskey({ site = 'http://localhost:3080', isBackedUp = false, counts = 1 } = {}) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credential: Credential = { idBytes: randomBytes(32), publicKey, privateKey, site, isBackedUp };
  const passkey: SoftwarePasskey = {
    id: credential.idBytes.toString('base64url'),
    counter: 0,
    attestation: ({ challenge }, changes = {}) => attest(credential, challenge, passkey.counter, changes),
    assertion({ challenge }, changes = {}) {
      passkey.counter += counts;
      return assert(credential, challenge, passkey.counter, changes);
    },
  };
  return passkey;
}

function attest(credential: Credential, challenge: string, counter: number, changes: Changes) {
  const clientData = clientDataOf(credential, challenge, { type: 'webauthn.create', ...changes });
  const authData = authenticatorData(credential, counter, changes, true);
  const object = cbor(
    new Map<string, CborValue>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]),
  );
  return {
    ...named(credential),
    response: {
      clientDataJSON: clientData.toString('base64url'),
      attestationObject: object.toString('base64url'),
      transports: ['internal'],
    },
  };
}

function assert(credential: Credential, challenge: string, counter: number, changes: Changes) {
  const clientData = clientDataOf(credential, challenge, { type: 'webauthn.get', ...changes });
  const authData = authenticatorData(credential, counter, changes, false);
  const signed = Buffer.concat([authData, sha256(clientData)]);
  return {
    ...named(credential),
    response: {
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: sign('sha256', signed, credential.privateKey).toString('base64url'),
    },
  };
}

function named({ idBytes }: Credential) {
  const id = idBytes.toString('base64url');
  return { id, rawId: id, type: 'public-key' as const };
}

function clientDataOf({ site }: Credential, challenge: string, { type, origin = site }: Changes): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

function authenticatorData(
  { site, idBytes, publicKey, isBackedUp }: Credential,
  counter: number,
  { rpId = new URL(site).hostname, isVerified = true }: Changes,
  isNew: boolean,
): Buffer {
  const flags =
    FLAGS.present |
    (isVerified ? FLAGS.verified : 0) |
    (isBackedUp ? FLAGS.canBackUp | FLAGS.isBackedUp : 0) |
    (isNew ? FLAGS.newKey : 0);
  const head = Buffer.concat([sha256(rpId), Buffer.from([flags]), uint(counter, 4)]);
  if (!isNew) return head;
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const cose = cbor(
    new Map<number, CborValue>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  );
  return Buffer.concat([head, Buffer.alloc(16), uint(idBytes.length, 2), idBytes, cose]);
}

type CborValue = number | string | Buffer | Map<string | number, CborValue>;

/** RFC 8949, as much of it as passkeys need. */
function cbor(value: CborValue): Buffer {
  if (typeof value === 'number') return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value);
  if (typeof value === 'string') return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([cborHead(2, value.length), value]);
  const entries = [...value].flatMap(([key, held]) => [cbor(key), cbor(held)]);
  return Buffer.concat([cborHead(5, value.size), ...entries]);
}

function cborHead(type: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(type << 5) | size]);
  return size < 256
    ? Buffer.from([(type << 5) | 24, size])
    : Buffer.concat([Buffer.from([(type << 5) | 25]), uint(size, 2)]);
}

function uint(value: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}
