// POST /api/import: takes a file as the body, JSON of any length or the ZIP file of an export of everything, and streams
// the results while reading it.
import type { ImportLine } from '@parley/schema/transfer/results';
import type { Hono } from 'hono';
import type { AuthSession } from '../auth/session/authenticator.ts';
import { createContext } from '../http/context.ts';
import type { Deps } from '../deps.ts';
import { reasonText } from '../platform/reasons.ts';
import type { HttpEnv } from '../platform/requests/http-env.ts';
import { importFile } from './import.ts';

/** Concurrent imports per process: each may hold its longest conversation in memory. */
const READING_MAX = 4;
/** Unread bytes of the response at which reading pauses, for clients that send the whole file before they read. */
const UNREAD_MAX = 16 * 1024 * 1024;

export const IMPORT_PATH = '/api/import';
/** Time limit for one file, in milliseconds. */
export const IMPORT_MAX_MS = 60 * 60_000;

const TYPES = /^application\/(json|x-ndjson|octet-stream|zip|x-zip-compressed)\b/i;

export function mountImport(hono: Hono<HttpEnv>, deps: Deps): void {
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

  async function* importing(signedIn: AuthSession, body: ReadableStream<Uint8Array>): AsyncGenerator<ImportLine, void> {
    try {
      yield* importFile(deps, signedIn, body);
    } finally {
      senders.delete(signedIn.userId);
    }
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
