// A stand-in for the push service of a browser, and for the browsers that subscribe with it. It speaks RFC 8030 with the
// encryption of RFC 8291 and the keys of RFC 8292, and refuses what these refuse.
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, randomUUID, verify } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { asFields, parseJson } from '@parley/schema/json';
import { listenLocally } from '../local-server.ts';

/** RFC 8030, 7.2: a service need not take more. */
const BODY_MAX = 4096;
/** RFC 8292, 2: the longest that a token may be good for. */
const TOKEN_SECONDS_MAX = 24 * 60 * 60;
const URGENCIES = ['very-low', 'low', 'normal', 'high'];

export interface PushedMessage {
  headers: IncomingMessage['headers'];
  /** Decrypted with the keys of the browser. */
  text: string;
}

export interface FakeBrowser {
  /** What `PushSubscription.toJSON()` gives. */
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } };
  messages: PushedMessage[];
  /** From now on the service answers this to messages for it. */
  answer(status: number, headers?: Record<string, string>): void;
}

export interface FakePush {
  url: string;
  host: string;
  /** All requests that were refused, with why. */
  refused: string[];
  /** `vapidKey` is the key that the page subscribes with: messages of others are refused. */
  subscribe(vapidKey: string): FakeBrowser;
  close(): Promise<void>;
}

interface Subscribed extends FakeBrowser {
  vapidKey: string;
  keys: ReturnType<typeof createECDH>;
  auth: Buffer;
  outcome: { status: number; headers: Record<string, string> };
}

class Refused extends Error {
  readonly status: number;
  constructor(status: number, why: string) {
    super(why);
    this.status = status;
  }
}

export async function startFakePush(): Promise<FakePush> {
  const browsers = new Map<string, Subscribed>();
  const refused: string[] = [];
  const { url, close } = await listenLocally((request, response) => void serve(request, response));
  return {
    url,
    host: new URL(url).host,
    refused,
    subscribe(vapidKey) {
      const keys = createECDH('prime256v1');
      const id = randomUUID();
      const auth = randomBytes(16);
      const p256dh = keys.generateKeys().toString('base64url');
      const browser: Subscribed = {
        subscription: { endpoint: `${url}/push/${id}`, keys: { p256dh, auth: auth.toString('base64url') } },
        messages: [],
        vapidKey,
        keys,
        auth,
        outcome: { status: 201, headers: { location: `${url}/message/${id}` } },
        answer: (status, headers = {}) => void (browser.outcome = { status, headers }),
      };
      browsers.set(id, browser);
      return browser;
    },
    close,
  };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    try {
      const browser = browsers.get(request.url?.split('/').at(-1) ?? '');
      if (!browser) throw new Refused(404, 'there is no such subscription');
      assertVapid(request, browser.vapidKey, url);
      assertHeaders(request, body);
      const { status, headers } = browser.outcome;
      if (status === 201) browser.messages.push({ headers: request.headers, text: decrypt(browser, body) });
      response.writeHead(status, headers).end();
    } catch (error) {
      const status = error instanceof Refused ? error.status : 400;
      refused.push(`${status} ${error instanceof Error ? error.message : ''}`);
      response.writeHead(status).end();
    }
  }
}

/** RFC 8030, 5: how long to keep it has to be said. */
function assertHeaders({ method, headers }: IncomingMessage, body: Buffer): void {
  if (method !== 'POST') throw new Refused(405, 'a message is posted');
  if (!/^\d+$/.test(String(headers.ttl ?? ''))) throw new Refused(400, 'no TTL');
  if (headers['content-encoding'] !== 'aes128gcm') throw new Refused(415, 'not encrypted as RFC 8291 says');
  if (headers.urgency !== undefined && !URGENCIES.includes(String(headers.urgency)))
    throw new Refused(400, 'no such urgency');
  if (headers.topic !== undefined && !/^[\w-]{1,32}$/.test(String(headers.topic)))
    throw new Refused(400, 'no such topic');
  if (body.length > BODY_MAX) throw new Refused(413, 'too long');
}

/** RFC 8292: a token signed with the key that the subscription names, for this service, good for a day at most. */
function assertVapid({ headers }: IncomingMessage, vapidKey: string, url: string): void {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(headers.authorization ?? '') ?? [];
  if (token === '') throw new Refused(401, 'no token');
  if (key !== vapidKey) throw new Refused(403, 'not the key of the subscription');
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, format: 'jwk' });
  const { alg } = parsed(head);
  const signed = Buffer.from(`${head}.${claims}`);
  const isSigned = verify(
    'sha256',
    signed,
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (alg !== 'ES256' || !isSigned) throw new Refused(403, 'a wrong signature');
  const { aud, exp, sub } = parsed(claims);
  const left = Number(exp) - Date.now() / 1000;
  if (aud !== url) throw new Refused(403, 'for another service');
  if (!(left > 0 && left <= TOKEN_SECONDS_MAX)) throw new Refused(403, 'good for too long, or no more');
  if (!/^(mailto:|https:)/.test(String(sub))) throw new Refused(403, 'nobody to ask');
}

function parsed(part: string): Readonly<Record<string, unknown>> {
  return asFields(parseJson(Buffer.from(part, 'base64url').toString()));
}

/** RFC 8188, 2.1 and RFC 8291, 3.4: one record, whose padding begins with a 2. */
function decrypt({ keys, auth }: Subscribed, body: Buffer): string {
  const salt = body.subarray(0, 16);
  const keyLength = body.readUInt8(20);
  const sender = body.subarray(21, 21 + keyLength);
  const record = body.subarray(21 + keyLength);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), sender]);
  const ikm = hkdfSync('sha256', keys.computeSecret(sender), auth, info, 32);
  const key = Buffer.from(hkdfSync('sha256', Buffer.from(ikm), salt, 'Content-Encoding: aes128gcm\0', 16));
  const nonce = Buffer.from(hkdfSync('sha256', Buffer.from(ikm), salt, 'Content-Encoding: nonce\0', 12));
  const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(record.subarray(-16));
  const plain = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  const end = plain.lastIndexOf(2);
  return plain.subarray(0, end).toString();
}
