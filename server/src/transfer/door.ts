// POST /api/import: a file as the body, as long as it may be, and an answer that grows while it is read.
import type { HttpBindings } from '@hono/node-server';
import type { ImportLine } from '@parley/schema/transfer';
import type { Hono } from 'hono';
import type { SignedIn } from '../auth/authenticator.ts';
import { contextOf } from '../context.ts';
import type { Deps } from '../deps.ts';
import { importFile } from './import.ts';

/** Files that are read at the same time in one process: each may have its longest conversation in memory. */
const READING_MAX = 4;
/** A sender that reads no answers while it sends is waited for from so many bytes of them on. */
const UNREAD_MAX = 16 * 1024 * 1024;

export const IMPORT_PATH = '/api/import';
/** How long one file may take to arrive, in milliseconds. */
export const IMPORT_MAX_MS = 60 * 60_000;

const TYPES = /^application\/(json|x-ndjson|octet-stream)\b/i;

export function mountImport(hono: Hono<{ Bindings: HttpBindings }>, deps: Deps): void {
  /** Who is sending a file. */
  const senders = new Set<string>();

  hono.post(IMPORT_PATH, async (c) => {
    const { raw: request } = c.req;
    const { signedIn } = await contextOf(deps, request, c.env.incoming, () => {});
    if (!signedIn) return refuseFile(401, 'Unauthorized');
    if (!TYPES.test(request.headers.get('content-type') ?? ''))
      return refuseFile(415, 'The body must be the file itself, as application/json or application/octet-stream.');
    if (!request.body) return refuseFile(422, 'The body is empty.');
    if (senders.has(signedIn.userId)) return refuseFile(429, 'Only one file at a time.');
    if (senders.size >= READING_MAX) return refuseFile(503, 'The server is busy. Please try again in a moment.');
    senders.add(signedIn.userId);
    return answer(importing(signedIn, request.body));
  });

  async function* importing(signedIn: SignedIn, body: ReadableStream<Uint8Array>): AsyncGenerator<ImportLine, void> {
    try {
      yield* importFile(deps, signedIn, body);
    } finally {
      senders.delete(signedIn.userId);
    }
  }
}

/** What is left of the file stays unread, so nothing can follow it on this connection. */
function refuseFile(status: number, message: string): Response {
  const headers = { Connection: 'close', ...(status === 503 || status === 429 ? { 'Retry-After': '5' } : {}) };
  return Response.json({ message }, { status, headers });
}

function answer(lines: AsyncGenerator<ImportLine, void>): Response {
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
