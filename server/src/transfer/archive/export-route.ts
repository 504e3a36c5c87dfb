// GET /api/export: everything of a person as one ZIP file, written while it is read.
import type { Reason } from '@parley/schema/reasons';
import type { Hono } from 'hono';
import type { AuthSession } from '../../platform/requests/auth-session.ts';
import { assertElevated } from '../../auth/step-up/elevation.ts';
import { createContext } from '../../http/context.ts';
import type { HttpEnv } from '../../platform/requests/http-env.ts';
import { consume } from '../../platform/rate-limiter.ts';
import { Refusal } from '../../platform/errors.ts';
import { reasonStatus, reasonText } from '../../platform/reasons.ts';
import { logError } from '../../platform/log-error.ts';
import { exportEntries } from './entries.ts';
import { zip } from '../../platform/zip/write-zip.ts';
import type { SessionWatch } from '../../http/session-watch.ts';
import type { FileSaverDeps } from '../../files/save-file.ts';
import type { RequestServices } from '../../platform/requests/request-services.ts';

interface ExportServices extends FileSaverDeps, RequestServices {
  sessions: SessionWatch;
}

const EXPORT_PATH = '/api/export';
/** Exports of a person in an hour. */
const EXPORTS_MAX = 10;
/** Concurrent exports per process. */
const WRITING_MAX = 4;

export function mountExport(hono: Hono<HttpEnv>, deps: ExportServices): void {
  /** Ids of users with a running export. */
  const readers = new Set<string>();

  hono.get(EXPORT_PATH, async (c) => {
    const { signedIn, limited } = await createContext(deps, c.req.raw, c.env.incoming, () => {}, c.var.requestId);
    if (limited) return refuseExport(403, reasonText({ type: 'factor_missing' }));
    if (!signedIn) return refuseExport(401, 'Unauthorized');
    const { userId } = signedIn;
    const unproven = await whyUnproven(deps, signedIn);
    if (unproven) return refuseExport(reasonStatus(unproven), reasonText(unproven));
    if (readers.has(userId)) return refuseExport(429, 'Only one export at a time.', 5);
    if (readers.size >= WRITING_MAX) return refuseExport(503, 'The server is busy. Please try again in a moment.', 5);
    readers.add(userId);
    const unwatch = deps.sessions.watch(signedIn, () => void c.env.outgoing.destroy());
    const leave = () => {
      unwatch();
      readers.delete(userId);
    };
    const { allowed, retryAfterSeconds } = await counted(deps, userId).catch((error: unknown) => {
      leave();
      throw error;
    });
    if (allowed) return respond(zip(exportEntries(deps, userId)), leave, report);
    leave();
    return refuseExport(429, 'Too many exports. Please try again later.', retryAfterSeconds);

    function report(error: unknown): void {
      logError(deps.log, error, { event: 'request.failed', path: `GET ${EXPORT_PATH}`, userId });
    }
  });
}

/** The browser has proven it before (`auth.stepUp.check`). */
async function whyUnproven({ db }: RequestServices, signedIn: AuthSession): Promise<Reason | null> {
  try {
    await assertElevated(db.query, signedIn);
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.reason;
    throw error;
  }
}

function counted({ db }: RequestServices, userId: string) {
  return consume(db, `export:${userId}`, EXPORTS_MAX, 3600);
}

function refuseExport(status: number, message: string, retryAfter?: number): Response {
  const headers: HeadersInit = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
  return Response.json({ message }, { status, headers });
}

/** An error in the middle cuts the response, so that no client takes the part for the whole. */
function respond(chunks: AsyncGenerator<Uint8Array>, leave: () => void, report: (error: unknown) => void): Response {
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await chunks.next();
        if (!done) return controller.enqueue(value);
        leave();
        controller.close();
      } catch (error) {
        leave();
        report(error);
        controller.error(error);
      }
    },
    async cancel() {
      await chunks.return(undefined).finally(leave);
    },
  });
  return new Response(body, {
    headers: {
      'Content-Type': 'application/zip',
      'Content-Disposition': 'attachment; filename="parley-export.zip"',
      'Cache-Control': 'no-store, no-transform',
      'X-Content-Type-Options': 'nosniff',
      'X-Accel-Buffering': 'no',
    },
  });
}
