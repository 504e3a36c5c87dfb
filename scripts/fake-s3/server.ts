// A stand-in for an S3 server with one bucket in memory. Checks the signature of every request as S3 does, and answers
// as S3 does what the file store asks: objects, ranges, uploads in parts, listings.
import { createHash, randomUUID, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listenLocally } from '../local-server.ts';

const FORM = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([\da-f]{64})$/;

export interface FakeS3 {
  url: string;
  settings: Credentials & { endpoint: string; bucket: string };
  /** The objects by key. */
  objects: Map<string, Buffer>;
  /** Uploads in parts that were neither completed nor aborted. */
  unfinished: Map<string, UnfinishedUpload>;
  /** How many of the next requests are answered 503. */
  failNext(count: number): void;
  close(): Promise<void>;
}

export interface UnfinishedUpload {
  key: string;
  initiated: Date;
  /** By their numbers. */
  parts: Map<number, Buffer>;
}

export const BUCKET = 'parley';
export const CREDENTIALS = {
  region: 'eu-central-1',
  accessKeyId: 'AKIAFAKE',
  secretAccessKey: 'a-secret-of-the-tests',
};
/** As in S3, in bytes: every part but the last. */
const PART_MIN = 5 * 1024 * 1024;
/** Small, so that a few objects already take several pages. */
const PAGE = 2;

/** `objects` may be a map that keeps what is put into it; a free port where it is absent. */
export async function startFakeS3({ objects = new Map<string, Buffer>(), port = 0 } = {}): Promise<FakeS3> {
  const unfinished: FakeS3['unfinished'] = new Map();
  let failing = 0;
  const { url, close } = await listenLocally(answer, { port });
  return {
    url,
    settings: { ...CREDENTIALS, endpoint: url, bucket: BUCKET },
    objects,
    unfinished,
    failNext: (count) => void (failing = count),
    close,
  };

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const body = await buffer(request);
    if (failing > 0) {
      failing -= 1;
      return fail(response, 503, 'SlowDown');
    }
    const refused = checkSignature(request, body, CREDENTIALS);
    if (refused) return fail(response, 403, refused);
    return respond({ objects, unfinished }, request, body, response);
  }
}

type Bucket = Pick<FakeS3, 'objects' | 'unfinished'>;

function respond(bucket: Bucket, request: IncomingMessage, body: Buffer, response: ServerResponse): void {
  const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://localhost');
  const [, name, ...rest] = decodeURIComponent(pathname).split('/');
  const key = rest.join('/');
  if (name !== BUCKET) return fail(response, 404, 'NoSuchBucket');
  const uploadId = query.get('uploadId');
  switch (request.method) {
    case 'GET':
      if (key === '' && query.has('uploads')) return listUploads(bucket, query, response);
      return key === '' ? list(bucket, query, response) : get(bucket, key, request.headers.range, response);
    case 'PUT':
      return uploadId === null ? put(bucket, key, body, response) : putPart(bucket, uploadId, query, body, response);
    case 'POST':
      return uploadId === null ? begin(bucket, key, response) : complete(bucket, uploadId, key, body, response);
    case 'DELETE':
      if (uploadId === null) bucket.objects.delete(key);
      else bucket.unfinished.delete(uploadId);
      return void response.writeHead(204).end();
    default:
      return fail(response, 405, 'MethodNotAllowed');
  }
}

function get({ objects }: Bucket, key: string, range: string | undefined, response: ServerResponse): void {
  const bytes = objects.get(key);
  if (!bytes) return fail(response, 404, 'NoSuchKey');
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
  if (from === undefined || to === undefined) return void response.writeHead(200).end(bytes);
  if (Number(from) >= bytes.length) return fail(response, 416, 'InvalidRange');
  response.writeHead(206, { 'content-range': `bytes ${from}-${to}/${bytes.length}` });
  response.end(bytes.subarray(Number(from), Number(to) + 1));
}

function put({ objects }: Bucket, key: string, body: Buffer, response: ServerResponse): void {
  objects.set(key, body);
  response.writeHead(200, { etag: tagOf(body) }).end();
}

function begin({ unfinished }: Bucket, key: string, response: ServerResponse): void {
  const id = `${randomUUID()}+/=`;
  unfinished.set(id, { key, initiated: new Date(), parts: new Map() });
  xml(response, `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
}

function putPart({ unfinished }: Bucket, id: string, query: URLSearchParams, body: Buffer, response: ServerResponse) {
  const parts = unfinished.get(id)?.parts;
  if (!parts) return fail(response, 404, 'NoSuchUpload');
  parts.set(Number(query.get('partNumber')), body);
  response.writeHead(200, { etag: tagOf(body) }).end();
}

/** Puts the named parts together, if each is there with its tag and none but the last is too small. */
function complete({ objects, unfinished }: Bucket, id: string, key: string, body: Buffer, response: ServerResponse) {
  const parts = unfinished.get(id)?.parts;
  if (!parts) return fail(response, 404, 'NoSuchUpload');
  const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)<\/ETag>/g)];
  const chosen = named.map(([, number, tag]) => ({ bytes: parts.get(Number(number)), tag }));
  if (chosen.length === 0 || chosen.some(({ bytes, tag }) => !bytes || tagOf(bytes) !== tag))
    return fail(response, 400, 'InvalidPart');
  if (chosen.slice(0, -1).some(({ bytes }) => (bytes?.length ?? 0) < PART_MIN))
    return fail(response, 400, 'EntityTooSmall');
  objects.set(key, Buffer.concat(chosen.flatMap(({ bytes }) => (bytes ? [bytes] : []))));
  unfinished.delete(id);
  xml(response, `<CompleteMultipartUploadResult><Key>${key}</Key></CompleteMultipartUploadResult>`);
}

function list({ objects }: Bucket, query: URLSearchParams, response: ServerResponse): void {
  const after = Buffer.from(query.get('continuation-token') ?? '', 'base64').toString();
  const keys = [...objects.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '')).toSorted();
  const rest = keys.filter((key) => key > after);
  const page = rest.slice(0, PAGE);
  const contents = page.map((key) => `<Contents><Key>${key}</Key><Size>${objects.get(key)?.length}</Size></Contents>`);
  const next = Buffer.from(page.at(-1) ?? '').toString('base64');
  const more = rest.length > PAGE ? `<NextContinuationToken>${next}</NextContinuationToken>` : '';
  xml(response, `<ListBucketResult>${contents.join('')}${more}</ListBucketResult>`);
}

function listUploads({ unfinished }: Bucket, query: URLSearchParams, response: ServerResponse): void {
  const placeOf = (key: string, id: string) => `${key} ${id}`;
  const after = placeOf(query.get('key-marker') ?? '', query.get('upload-id-marker') ?? '');
  const rest = [...unfinished]
    .map(([id, upload]) => ({ ...upload, id, place: placeOf(upload.key, id) }))
    .filter(({ place }) => place > after)
    .toSorted((a, b) => (a.place < b.place ? -1 : 1));
  const page = rest.slice(0, PAGE);
  const uploads = page.map(
    ({ key, id, initiated }) =>
      `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${initiated.toISOString()}</Initiated></Upload>`,
  );
  const last = page.at(-1);
  const next = `<NextKeyMarker>${last?.key}</NextKeyMarker><NextUploadIdMarker>${last?.id}</NextUploadIdMarker>`;
  const end = rest.length > PAGE ? `<IsTruncated>true</IsTruncated>${next}` : '<IsTruncated>false</IsTruncated>';
  xml(response, `<ListMultipartUploadsResult>${end}${uploads.join('')}</ListMultipartUploadsResult>`);
}

function xml(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'application/xml' }).end(`<?xml version="1.0" encoding="UTF-8"?>\n${text}`);
}

function fail(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(`<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code></Error>`);
}

function tagOf(bytes: Buffer): string {
  return `"${createHash('md5').update(bytes).digest('hex')}"`;
}

// Signature version 4 of AWS, computed from what arrived, as its documentation describes it.
interface Credentials {
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** S3's error code for a request that is not signed as it should be; null for one that is. */
function checkSignature(request: IncomingMessage, body: Buffer, credentials: Credentials): string | null {
  const [, credential = '', signed = '', signature = ''] = FORM.exec(request.headers.authorization ?? '') ?? [];
  const time = headerOf(request, 'x-amz-date');
  const scope = [time.slice(0, 8), credentials.region, 's3', 'aws4_request'].join('/');
  if (credential !== `${credentials.accessKeyId}/${scope}`) return 'InvalidAccessKeyId';
  const names = signed.split(';');
  if (!names.includes('host') || !names.includes('x-amz-date')) return 'SignatureDoesNotMatch';
  const payload = headerOf(request, 'x-amz-content-sha256');
  if (payload !== 'UNSIGNED-PAYLOAD' && payload !== sha256(body)) return 'XAmzContentSHA256Mismatch';
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical(request, names, payload))].join('\n');
  const expected = hmac(keyFor(credentials, time.slice(0, 8)), text).toString('hex');
  const isSame = timingSafeEqual(Buffer.from(expected), Buffer.from(signature.padEnd(64, '0')));
  return isSame ? null : 'SignatureDoesNotMatch';
}

function canonical(request: IncomingMessage, names: string[], payload: string): string {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
  const query = [...searchParams]
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .toSorted()
    .join('&');
  const path = decodeURIComponent(pathname).split('/').map(escaped).join('/');
  const headers = names.map((name) => `${name}:${headerOf(request, name).trim().replaceAll(/ +/g, ' ')}\n`).join('');
  return [request.method, path, query, headers, names.join(';'), payload].join('\n');
}

function keyFor({ secretAccessKey, region }: Credentials, day: string): Buffer {
  return [day, region, 's3', 'aws4_request'].reduce<Buffer>(hmac, Buffer.from(`AWS4${secretAccessKey}`));
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function sha256(data: Buffer | string): string {
  return createHash('sha256').update(data).digest('hex');
}

function headerOf(request: IncomingMessage, name: string): string {
  const value = request.headers[name] ?? '';
  return Array.isArray(value) ? value.join(',') : value;
}

function escaped(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
