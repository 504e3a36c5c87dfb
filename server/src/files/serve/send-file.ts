// The answers with the bytes of files: to their users, and to visitors of what they share.
import type { Logger } from 'pino';
import type { Context as HonoContext } from 'hono';
import { KeyRefused } from '../../api-keys/principal.ts';
import type { HttpEnv } from '../../platform/requests/http-env.ts';
import { Refusal } from '../../platform/errors.ts';
import { logError } from '../../platform/log-error.ts';
import { reasonText } from '../../platform/reasons.ts';
import { storageKey, MissingFile, type ByteRange, type FileStores } from '../../storage/file-store.ts';
import type { FileRow } from '../present.ts';

/** A file is never a page of this site, whatever its bytes are. */
const HARMLESS = {
  'Content-Security-Policy': "sandbox; default-src 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

export const NOT_FOUND = reasonText({ type: 'not_found', what: 'file' });

/** What is not there, or must not be seen, is as missing as what never was. */
export async function guardFiles(
  deps: { log: Logger },
  c: HonoContext<HttpEnv>,
  work: () => Promise<Response>,
): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof KeyRefused) return refuseFile(error.status, error.message);
    if (error instanceof MissingFile || error instanceof Refusal) return refuseFile(404, NOT_FOUND);
    logError(deps.log, error, { event: 'request.failed', path: 'GET file', requestId: c.var.requestId });
    return refuseFile(500, reasonText({ type: 'unknown', text: '' }));
  }
}

/** What an address shows never changes, but it can be deleted: the browser asks before it shows what it has kept. */
export async function sendImage(
  deps: { stores: FileStores },
  c: HonoContext<HttpEnv>,
  file: FileRow,
): Promise<Response> {
  const etag = `"${file.hash}"`;
  const headers = {
    ...HARMLESS,
    ETag: etag,
    // No Vary: the cookie changes with each refresh, and another user of the browser does not know the address.
    'Cache-Control': 'private, no-cache',
  };
  if (matches(c.req.header('if-none-match'), etag)) return new Response(null, { status: 304, headers });
  const body = await bodyOf(deps, c, file);
  const length = { 'Content-Type': file.mime, 'Content-Length': String(file.bytes) };
  return new Response(body, { headers: { ...headers, ...length, 'Content-Disposition': 'inline' } });
}

/** Never inline, whatever its type is. */
export async function sendDownload(
  deps: { stores: FileStores },
  c: HonoContext<HttpEnv>,
  file: FileRow,
  more: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const headers = {
    ...HARMLESS,
    ETag: `"${file.hash}"`,
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private, no-store',
    'Content-Disposition': attachmentNamed(file.name),
    'Content-Type': 'application/octet-stream',
    ...more,
  };
  if (matches(c.req.header('if-none-match'), headers.ETag)) return new Response(null, { status: 304, headers });
  const condition = c.req.header('if-range');
  const isSame = condition === undefined || condition === headers.ETag;
  const range = isSame ? parseRange(c.req.header('range'), file.bytes) : null;
  if (range === 'unsatisfiable')
    return new Response(null, { status: 416, headers: { ...headers, 'Content-Range': `bytes */${file.bytes}` } });
  if (range === null) {
    const body = await bodyOf(deps, c, file);
    return new Response(body, { headers: { ...headers, 'Content-Length': String(file.bytes) } });
  }
  const { from, to } = range;
  const part = { 'Content-Length': String(to - from + 1), 'Content-Range': `bytes ${from}-${to}/${file.bytes}` };
  return new Response(await bodyOf(deps, c, file, range), { status: 206, headers: { ...headers, ...part } });
}

/** Null for HEAD, which needs no bytes. */
async function bodyOf({ stores }: { stores: FileStores }, c: HonoContext<HttpEnv>, file: FileRow, range?: ByteRange) {
  if (c.req.raw.method === 'HEAD') return null;
  if (file.hash === null) throw new MissingFile('The file has no bytes in our stores');
  return stores.of(file.source).read(storageKey(file.userId, file.hash), range, c.req.raw.signal);
}

function matches(header: string | undefined, etag: string): boolean {
  return (header ?? '').split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
}

/** RFC 6266: a name in ASCII for old clients, and the whole one. */
function attachmentNamed(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

export function refuseFile(status: number, message: string): Response {
  return Response.json({ message }, { status, headers: HARMLESS });
}

/**
 * The range that a `Range` header asks for, of `bytes` bytes. Null for none, and for several ranges: then the whole
 * file is sent, as RFC 9110 allows.
 */
function parseRange(header: string | undefined, bytes: number): ByteRange | 'unsatisfiable' | null {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return null;
  // `-500` are the last 500 bytes.
  const from = first === '' ? Math.max(0, bytes - Number(last)) : Number(first);
  const to = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return null;
  return from < bytes && from <= to ? { from, to } : 'unsatisfiable';
}
