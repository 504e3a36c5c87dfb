// POST /api/import: takes a file as the body, JSON of any length or the ZIP file of an export of everything, and streams
// the results while reading it.
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { FILE_FIELD } from '@parley/schema/files/upload-forms';
import { IMPORT_LIMITS, type ImportLine } from '@parley/schema/transfer/results';
import type { Hono } from 'hono';
import type { AuthSession } from '../platform/requests/auth-session.ts';
import { createContext } from '../http/context.ts';
import { receiveUpload, type ReceivedFile } from '../files/upload/receive-upload.ts';
import { Refusal } from '../platform/errors.ts';
import { arrivalsFolder } from '../storage/arrivals.ts';
import { reasonText } from '../platform/reasons.ts';
import type { HttpEnv } from '../platform/requests/http-env.ts';
import { importFile, type ImportRouteServices } from './import.ts';
import { toWebStream } from '../http/web-stream.ts';

/** Concurrent imports per process: each may hold its longest conversation in memory. */
const READING_MAX = 4;
/** Unread bytes of the response at which reading pauses, for clients that send the whole file before they read. */
const UNREAD_MAX = 16 * 1024 * 1024;

export const IMPORT_PATH = '/api/import';
/** The same as a form with one file, as existing clients send it. */
const FORM_PATH = '/api/convos/import';
export const IMPORT_PATHS: readonly string[] = [IMPORT_PATH, FORM_PATH];
/** Time limit for one file, in milliseconds. */
export const IMPORT_MAX_MS = 60 * 60_000;

const TYPES = /^application\/(json|x-ndjson|octet-stream|zip|x-zip-compressed)\b/i;

export function mountImport(hono: Hono<HttpEnv>, deps: ImportRouteServices): void {
  /** Ids of users with a running import. */
  const senders = new Set<string>();

  hono.post(IMPORT_PATH, async (c) => {
    const { raw: request } = c.req;
    const { signedIn, limited } = await createContext(deps, request, c.env.incoming, () => {}, c.var.requestId);
    if (limited) return refuseFile(403, reasonText({ type: 'factor_missing' }));
    if (!signedIn) return refuseFile(401, 'Unauthorized');
    if (!TYPES.test(request.headers.get('content-type') ?? ''))
      return refuseFile(
        415,
        'The body must be the file itself, as application/json, application/zip or application/octet-stream.',
      );
    if (!request.body) return refuseFile(422, 'The body is empty.');
    if (senders.has(signedIn.userId)) return refuseFile(429, 'Only one file at a time.');
    if (senders.size >= READING_MAX) return refuseFile(503, 'The server is busy. Please try again in a moment.');
    senders.add(signedIn.userId);
    return respond(importing(signedIn, request.body));
  });

  hono.post(FORM_PATH, async (c) => {
    const { raw: request } = c.req;
    const { incoming } = c.env;
    const { signedIn, limited } = await createContext(deps, request, incoming, () => {}, c.var.requestId);
    if (limited) return refuseFile(403, reasonText({ type: 'factor_missing' }));
    if (!signedIn) return refuseFile(401, 'Unauthorized');
    if (senders.has(signedIn.userId)) return refuseFile(429, 'Only one file at a time.');
    if (senders.size >= READING_MAX) return refuseFile(503, 'The server is busy. Please try again in a moment.');
    senders.add(signedIn.userId);
    try {
      return await importForm(deps, signedIn, incoming);
    } finally {
      senders.delete(signedIn.userId);
    }
  });

  async function* importing(signedIn: AuthSession, body: ReadableStream<Uint8Array>): AsyncGenerator<ImportLine, void> {
    try {
      yield* importFile(deps, signedIn, body);
    } finally {
      senders.delete(signedIn.userId);
    }
  }
}

/** Existing clients are told of a whole file that it came, or what was wrong with it. */
async function importForm(
  deps: ImportRouteServices,
  signedIn: AuthSession,
  incoming: IncomingMessage,
): Promise<Response> {
  const maxBytes = () => 2 * deps.config.files.quotaBytes + IMPORT_LIMITS.itemBytes;
  let file: ReceivedFile | null;
  try {
    ({ file } = await receiveUpload(incoming, {
      folder: arrivalsFolder(deps.config),
      fieldName: FILE_FIELD,
      maxBytes,
    }));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return refuseFile(error.reason.type === 'storage_full' ? 507 : 400, reasonText(error.reason));
  }
  if (!file) return refuseFile(400, 'The form has no file.');
  try {
    const body = toWebStream(createReadStream(file.path));
    let kept = 0;
    let reason: string = 'empty';
    for await (const line of importFile(deps, signedIn, body)) {
      if ('outcome' in line && 'index' in line && line.outcome !== 'skipped') kept += 1;
      else if ('index' in line) reason = line.reason;
      else if ('end' in line) reason = line.fault ?? reason;
    }
    if (kept > 0) return Response.json({ message: 'Conversation(s) imported successfully' }, { status: 201 });
    return Response.json({ message: `Nothing was imported: ${reason.replaceAll('_', ' ')}` }, { status: 400 });
  } finally {
    await rm(file.path, { force: true });
  }
}

/** The rest of the file stays unread, so the connection cannot be reused. */
function refuseFile(status: number, message: string): Response {
  const headers = { Connection: 'close', ...(status === 503 || status === 429 ? { 'Retry-After': '5' } : {}) };
  return Response.json({ message }, { status, headers });
}

function respond(lines: AsyncGenerator<ImportLine, void>): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await lines.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(`${JSON.stringify(value)}\n`));
      },
      async cancel() {
        await lines.return();
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: UNREAD_MAX }),
  );
  return new Response(body, {
    headers: {
      'Content-Type': 'application/x-ndjson',
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    },
  });
}
