// Files in a bucket of S3, or of a server that speaks its protocol. Requests are signed by aws4fetch.
import { createReadStream } from 'node:fs';
import { MEGABYTE } from '@parley/schema/files/file-limits';
import type { AwsClient } from 'aws4fetch';
import { SaxesParser } from 'saxes';
import { withoutTrailingSlash } from '../../config/addresses.ts';
import { credential, httpUrl, text } from '../../config/env/env-readers.ts';
import { defineStore } from '../../storage/define-store.ts';
import { nullWhenMissing, isKey, type FileStore, type LocalFile } from '../../storage/file-store.ts';
import { requestStore } from './request-store.ts';

export interface S3Settings {
  /** The server's address without the bucket and without a trailing slash. */
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** S3 takes no smaller parts but for the last. One at a time is in memory. */
const PART_BYTES = 8 * MEGABYTE;

export const s3 = defineStore({
  source: 's3',
  env: {
    S3_ENDPOINT: httpUrl,
    S3_BUCKET: text,
    S3_REGION: text,
    S3_ACCESS_KEY_ID: credential,
    S3_SECRET_ACCESS_KEY: credential,
  },
  needs: ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
  configure: ({ S3_ENDPOINT: url, S3_REGION: region = 'us-east-1', ...env }) => ({
    endpoint: withoutTrailingSlash(url ?? `https://s3.${region}.amazonaws.com`),
    bucket: env.S3_BUCKET,
    region,
    accessKeyId: env.S3_ACCESS_KEY_ID,
    secretAccessKey: env.S3_SECRET_ACCESS_KEY,
  }),
  create: createS3Store,
});

export function createS3Store(settings: S3Settings): FileStore {
  const base = `${settings.endpoint}/${encodeURIComponent(settings.bucket)}`;
  let client: Promise<AwsClient> | undefined;
  return {
    source: 's3',
    async put(key, from, signal) {
      if (from.bytes <= PART_BYTES) await putWhole(key, from, signal);
      else await putInParts(key, from, signal);
    },
    async read(key, range, signal) {
      const headers: Record<string, string> = range ? { range: `bytes=${range.from}-${range.to}` } : {};
      const response = await call('GET', addressOf(key), { headers, ...(signal && { signal }) });
      return response.body ?? new Blob([]).stream();
    },
    async remove(key) {
      await (await call('DELETE', addressOf(key))).body?.cancel();
    },
    list: (prefix) => listKeys(prefix, (query) => call('GET', `${base}?${query}`)),
    async abortUploads(before) {
      for await (const { key, id, begun } of listUploads((query) => call('GET', `${base}?${query}`)))
        if (isKey(key) && begun < before) await abortUpload(key, id);
    },
  };

  /** A single request is atomic. */
  async function putWhole(key: string, { path, bytes, mime }: LocalFile, signal: AbortSignal): Promise<void> {
    const body = await readPart(path, 0, bytes);
    await (await call('PUT', addressOf(key), { body, headers: { 'content-type': mime }, signal })).body?.cancel();
  }

  /** The file is there when the last request succeeds; until then its parts are none of its key. */
  async function putInParts(key: string, { path, bytes, mime }: LocalFile, signal: AbortSignal): Promise<void> {
    const address = addressOf(key);
    const begun = await call('POST', `${address}?uploads=`, { headers: { 'content-type': mime }, signal });
    const uploadId = textsIn(await begun.text(), 'UploadId')[0] ?? '';
    const id = encodeURIComponent(uploadId);
    try {
      const tags: string[] = [];
      for (let at = 0; at < bytes; at += PART_BYTES) {
        const body = await readPart(path, at, Math.min(PART_BYTES, bytes - at));
        const part = await call('PUT', `${address}?partNumber=${tags.length + 1}&uploadId=${id}`, { body, signal });
        await part.body?.cancel();
        tags.push(part.headers.get('etag') ?? '');
      }
      const done = await (await call('POST', `${address}?uploadId=${id}`, { body: allParts(tags), signal })).text();
      // S3 may begin its answer with status 200 before it knows of a failure.
      if (textsIn(done, 'Code').length > 0) throw new Error('The store did not put the parts together');
    } catch (error) {
      await abortUpload(key, uploadId).catch(() => undefined);
      throw error;
    }
  }

  /** Somebody else may have ended it first. */
  async function abortUpload(key: string, id: string): Promise<void> {
    const url = `${addressOf(key)}?uploadId=${encodeURIComponent(id)}`;
    const aborted = await call('DELETE', url).catch(nullWhenMissing);
    await aborted?.body?.cancel();
  }

  /** Fails like `requestStore`. */
  async function call(method: string, url: string, init: RequestInit = {}): Promise<Response> {
    const aws = await (client ??= openClient(settings));
    const https = settings.endpoint.startsWith('https:');
    // Over https the transport protects the body, which then need not be hashed.
    const headers = { ...init.headers, ...(https && { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' }) };
    return requestStore(() => aws.sign(url, { ...init, method, headers }), init.signal ?? undefined);
  }

  function addressOf(key: string): string {
    return `${base}/${key.split('/').map(encodeURIComponent).join('/')}`;
  }
}

async function openClient({ accessKeyId, secretAccessKey, region }: S3Settings) {
  const { AwsClient } = await import('aws4fetch');
  return new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 0 });
}

/** Names the parts of an upload by their tags. */
function allParts(tags: readonly string[]): string {
  const parts = tags.map((tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`);
  return `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`;
}

/** Fewer than all bytes: the file changed, which none in the folder of arrivals does. */
async function readPart(path: string, at: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const part = new Uint8Array(length);
  if (length === 0) return part;
  let filled = 0;
  const pieces: AsyncIterable<Buffer> = createReadStream(path, { start: at, end: at + length - 1 });
  for await (const piece of pieces) {
    part.set(piece, filled);
    filled += piece.length;
  }
  if (filled < length) throw new Error('The file is shorter than it was');
  return part;
}

function readListing(xml: string): { keys: string[]; next: string | null } {
  return { keys: textsIn(xml, 'Key'), next: textsIn(xml, 'NextContinuationToken')[0] ?? null };
}

/** `read` reads a page. */
async function* listKeys(prefix: string, read: (query: URLSearchParams) => Promise<Response>) {
  let token: string | null = null;
  do {
    const next: Record<string, string> = token === null ? {} : { 'continuation-token': token };
    const page = readListing(await (await read(new URLSearchParams({ 'list-type': '2', prefix, ...next }))).text());
    yield* page.keys;
    token = page.next;
  } while (token !== null);
}

/** All uploads in parts that were not finished; `read` reads a page. */
async function* listUploads(read: (query: URLSearchParams) => Promise<Response>) {
  let next: UploadMarker | null = null;
  do {
    const page = readUploads(await (await read(new URLSearchParams({ uploads: '', ...next }))).text());
    yield* page.uploads;
    next = page.next;
  } while (next !== null);
}

/** Where the next page of unfinished uploads begins. */
type UploadMarker = { 'key-marker': string; 'upload-id-marker': string };

function readUploads(xml: string) {
  const ids = textsIn(xml, 'UploadId');
  const times = textsIn(xml, 'Initiated');
  const uploads = textsIn(xml, 'Key').map((key, index) => ({
    key,
    id: ids[index] ?? '',
    begun: new Date(times[index] ?? ''),
  }));
  const [key = ''] = textsIn(xml, 'NextKeyMarker');
  const [id = ''] = textsIn(xml, 'NextUploadIdMarker');
  const next: UploadMarker | null =
    textsIn(xml, 'IsTruncated')[0] === 'true' ? { 'key-marker': key, 'upload-id-marker': id } : null;
  return { uploads, next };
}

/** The texts of all elements with this name. */
function textsIn(xml: string, name: string): string[] {
  const parser = new SaxesParser();
  const texts: string[] = [];
  let open = false;
  parser.on('opentag', (tag) => {
    open = tag.name === name;
    if (open) texts.push('');
  });
  parser.on('text', (text) => {
    if (open) texts.push((texts.pop() ?? '') + text);
  });
  parser.on('closetag', () => (open = false));
  parser.write(xml).close();
  return texts;
}
