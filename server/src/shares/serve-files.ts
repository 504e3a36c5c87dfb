// GET /api/share/<link>/images/… and /files/…: what the shared messages have attached, for everybody who may read them.
import type { Context as HonoContext, Hono } from 'hono';
import { ShareRef } from '@parley/schema/convos/shares';
import { isImageType } from '@parley/schema/files/file-types';
import { isVisitAllowed } from '../abuse/call-limits.ts';
import type { FileRow } from '../files/present.ts';
import { guardFiles, NOT_FOUND, refuseFile, sendDownload, sendImage } from '../files/serve/send-file.ts';
import { fileViewer, type ServingServices } from '../files/serve/serve-route.ts';
import type { HttpEnv } from '../platform/requests/http-env.ts';
import { clientIp } from '../platform/requests/request-info.ts';
import { reasonText } from '../platform/reasons.ts';
import { findSharedFile } from './shares.ts';
import type { CoreServices } from '../platform/requests/request-services.ts';

type Send = (deps: ServingServices, c: HonoContext<HttpEnv>, file: FileRow) => Promise<Response>;

export function mountSharedFiles(hono: Hono<HttpEnv>, deps: ServingServices): void {
  hono.get('/api/share/:id/images/:name', (c) =>
    serve(deps, c, async (_, __, file) =>
      isImageType(file.mime) ? sendImage(deps, c, file) : refuseFile(404, NOT_FOUND),
    ),
  );
  hono.get('/api/share/:id/files/:name', (c) => serve(deps, c, sendDownload));
}

async function serve(deps: ServingServices, c: HonoContext<HttpEnv>, send: Send): Promise<Response> {
  const { id = '', name = '' } = c.req.param();
  const response = await guardFiles(deps, c, async () => {
    const refused = (await refuseVisit(deps, c)) ?? (await refuseStranger(deps, c));
    if (refused) return refused;
    const n = numberIn(name);
    return n === null ? refuseFile(404, NOT_FOUND) : send(deps, c, await findSharedFile(deps, idIn(id), n));
  });
  response.headers.set('X-Robots-Tag', 'noindex');
  return response;
}

/** A text of another form is the id of no link. */
function idIn(id: string): string {
  return ShareRef.safeParse({ id }).data?.id ?? '';
}

/** `3.webp` and `3` are file 3. */
function numberIn(name: string): number | null {
  const [, digits] = /^([1-9]\d{0,5})(?:\.\w+)?$/.exec(name) ?? [];
  return digits === undefined ? null : Number(digits);
}

async function refuseVisit(deps: CoreServices, c: HonoContext<HttpEnv>): Promise<Response | null> {
  const { allowed, retryAfterSeconds } = await isVisitAllowed(deps.db, 'file', clientIp(deps.config, c.env.incoming));
  if (allowed) return null;
  const refused = refuseFile(429, reasonText({ type: 'too_many_attempts', retryAfterSeconds }));
  refused.headers.set('Retry-After', String(retryAfterSeconds));
  return refused;
}

/** Where links are for signed-in people alone, their files are, too. */
async function refuseStranger(deps: ServingServices, c: HonoContext<HttpEnv>): Promise<Response | null> {
  if (deps.config.accounts.publicSharedLinks) return null;
  const { viewer, bannedUntil } = await fileViewer(deps, c);
  if (bannedUntil) return refuseFile(403, reasonText({ type: 'banned', until: bannedUntil }));
  return viewer === null ? refuseFile(401, 'Unauthorized') : null;
}
