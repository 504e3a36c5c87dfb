// GET /images/… and GET /api/files/download/…: the bytes of a user's own files.
import type { ReadableStream as NodeStream } from 'node:stream/web';
import type { Context as HonoContext, Hono } from 'hono';
import { isImageType } from '@parley/schema/files/file-types';
import { readRefreshToken } from '../auth/session/cookies.ts';
import { findSessionOfToken } from '../auth/session/sessions.ts';
import type { Deps } from '../deps.ts';
import { createContext } from '../http/context.ts';
import type { HttpEnv } from '../http/http-env.ts';
import { Refusal } from '../platform/errors.ts';
import { logError } from '../platform/log-error.ts';
import { messageFor } from '../rest/present/error-messages.ts';
import { presentRestFile } from '../rest/present/present-file.ts';
import { parseRange } from './byte-range.ts';
import { keyOf, MissingFile, type ByteRange } from '../storage/file-store.ts';
import { assertFile } from './files.ts';
import { readStatus } from '../retrieval/documents.ts';
import { presentFile, type FileRow } from './present.ts';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** A file is never a page of this site, whatever its bytes are. */
const HARMLESS = {
  'Content-Security-Policy': "sandbox; default-src 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

export function mountFiles(hono: Hono<HttpEnv>, deps: Deps): void {
  hono.get('/images/:userId/:name', (c) =>
    guarded(deps, c, async () => {
      const { viewer } = await viewerOf(deps, c);
      if (viewer === null) return refuseFile(401, 'Unauthorized');
      const { userId, name } = c.req.param();
      if (userId !== viewer) return refuseFile(403, 'Forbidden');
      const file = await findFile(deps, userId, name.split('__', 1)[0] ?? '');
      return file && isImageType(file.mime) ? serveImage(deps, c, file) : refuseFile(404, NOT_FOUND);
    }),
  );
  hono.get('/api/files/download/:userId/:fileId', (c) =>
    guarded(deps, c, async () => {
      const { viewer, bannedUntil } = await viewerOf(deps, c);
      if (bannedUntil) return refuseFile(403, messageFor({ type: 'banned', until: bannedUntil }));
      if (viewer === null) return new Response('Unauthorized', { status: 401 });
      const { userId, fileId } = c.req.param();
      if (userId !== viewer) return refuseFile(403, 'Forbidden');
      const file = await findFile(deps, userId, fileId);
      return file ? serveDownload(deps, c, file) : refuseFile(404, NOT_FOUND);
    }),
  );
}

const NOT_FOUND = messageFor({ type: 'not_found', what: 'file' });

async function guarded(deps: Deps, c: HonoContext<HttpEnv>, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MissingFile || error instanceof Refusal) return refuseFile(404, NOT_FOUND);
    logError(deps.log, error, { event: 'request.failed', path: 'GET file', requestId: c.var.requestId });
    return refuseFile(500, messageFor({ type: 'unknown', text: '' }));
  }
}

/**
 * The signed-in user: `<img>` and links send the refresh cookie and no bearer. The cookie is only looked at, not used
 * up. Another site cannot read what it gets, and its requests come without the cookie.
 */
async function viewerOf(deps: Deps, c: HonoContext<HttpEnv>): Promise<{ viewer: string | null; bannedUntil?: string }> {
  const { signedIn, bannedUntil } = await createContext(deps, c.req.raw, c.env.incoming, () => {}, c.var.requestId);
  if (bannedUntil) return { viewer: signedIn?.userId ?? null, bannedUntil };
  if (signedIn) return { viewer: signedIn.userId };
  const token = readRefreshToken(c.req.raw.headers);
  return { viewer: token ? ((await findSessionOfToken(deps.db, token))?.userId ?? null) : null };
}

async function findFile({ db }: Deps, userId: string, id: string): Promise<FileRow | null> {
  return UUID.test(id) ? assertFile(db, userId, id) : null;
}

/** What an address shows never changes, but it can be deleted: the browser asks before it shows what it has kept. */
async function serveImage(deps: Deps, c: HonoContext<HttpEnv>, file: FileRow): Promise<Response> {
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

async function serveDownload(deps: Deps, c: HonoContext<HttpEnv>, file: FileRow): Promise<Response> {
  const document = await readStatus(deps.db.query, file.userId, file.id);
  const headers = {
    ...HARMLESS,
    ETag: `"${file.hash}"`,
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private, no-store',
    'Content-Disposition': attachmentNamed(file.name),
    'Content-Type': 'application/octet-stream',
    'X-File-Metadata': asciiJson(presentRestFile(file.userId, presentFile(file, 0, document))),
  };
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
async function bodyOf({ stores }: Deps, c: HonoContext<HttpEnv>, file: FileRow, range?: ByteRange) {
  if (c.req.raw.method === 'HEAD') return null;
  if (file.hash === null) throw new MissingFile('The file has no bytes in our stores');
  const stream: NodeStream = await stores.of(file.source).read(keyOf(file.userId, file.hash), range, c.req.raw.signal);
  // The same class under two names: node's own types and those of the web.
  return stream as unknown as ReadableStream<Uint8Array>;
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

/** Headers are ASCII; JSON has an escape for everything else. */
function asciiJson(value: object): string {
  return JSON.stringify(value).replaceAll(
    /[^\x20-\x7e]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function refuseFile(status: number, message: string): Response {
  return Response.json({ message }, { status, headers: HARMLESS });
}
