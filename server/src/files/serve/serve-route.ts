// GET /images/… and GET /api/files/download/…: the bytes of a user's own files.
import type { Context as HonoContext, Hono } from 'hono';
import type { ApiScope } from '@parley/schema/accounts/api-key-rules';
import { isImageType } from '@parley/schema/files/file-types';
import type { StoredFile } from '@parley/schema/files/stored-file';
import { createCallContext, findHolder } from '../../api-keys/key-context.ts';
import { readRefreshToken } from '../../platform/requests/cookies.ts';
import { findSessionOfToken } from '../../auth/session/sessions.ts';
import type { HttpEnv } from '../../platform/requests/http-env.ts';
import { auditRefusedAccess } from '../../platform/audit.ts';
import { Refusal } from '../../platform/errors.ts';
import { reasonText } from '../../platform/reasons.ts';
import { readStatus } from '../../retrieval/documents.ts';
import { assertFile } from '../files.ts';
import { presentFile, type FileRow } from '../present.ts';
import { guardFiles, NOT_FOUND, refuseFile, sendDownload, sendImage } from './send-file.ts';
import type { KeyHolders } from '../../api-keys/key-holders.ts';
import type { FileSaverDeps } from '../save-file.ts';
import type { RequestServices, CoreServices } from '../../platform/requests/request-services.ts';

export interface ServingServices extends FileSaverDeps, RequestServices {
  keyHolders: KeyHolders;
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** A file as existing clients read it. */
export type PresentFile = (userId: string, file: StoredFile) => object;

export function mountFiles(hono: Hono<HttpEnv>, deps: ServingServices, present: PresentFile): void {
  hono.get('/images/:userId/:name', (c) =>
    guardFiles(deps, c, async () => {
      const { viewer } = await fileViewer(deps, c);
      if (viewer === null) return refuseFile(401, 'Unauthorized');
      const { userId, name } = c.req.param();
      if (userId !== viewer) return refuseForeign(deps, viewer);
      const [id = ''] = name.split('__', 1);
      const file = UUID.test(id) ? await assertOwn(deps, userId, id) : null;
      return file && isImageType(file.mime) ? sendImage(deps, c, file) : refuseFile(404, NOT_FOUND);
    }),
  );
  hono.get('/api/files/download/:userId/:fileId', (c) =>
    guardFiles(deps, c, async () => {
      const { viewer, bannedUntil } = await fileViewer(deps, c, 'files');
      if (bannedUntil) return refuseFile(403, reasonText({ type: 'banned', until: bannedUntil }));
      if (viewer === null) return new Response('Unauthorized', { status: 401 });
      const { userId, fileId } = c.req.param();
      if (userId !== viewer) return refuseForeign(deps, viewer);
      if (!UUID.test(fileId)) return refuseFile(404, NOT_FOUND);
      const [file, document] = await Promise.all([
        assertOwn(deps, userId, fileId),
        readStatus(deps.db.query, userId, fileId),
      ]);
      return sendDownload(deps, c, file, {
        'X-File-Metadata': asciiJson(present(userId, presentFile(file, 0, document))),
      });
    }),
  );
}

function refuseForeign({ log }: CoreServices, userId: string): Response {
  auditRefusedAccess(log, { userId, path: 'GET file', what: 'file' });
  return refuseFile(403, 'Forbidden');
}

async function assertOwn({ db, log }: CoreServices, userId: string, id: string): Promise<FileRow> {
  return assertFile(db, userId, id).catch((error: unknown) => {
    if (error instanceof Refusal) auditRefusedAccess(log, { userId, path: 'GET file', what: 'file' });
    throw error;
  });
}

/**
 * The signed-in user: `<img>` and links send the refresh cookie and no bearer. The cookie is only looked at, not used
 * up. Another site cannot read what it gets, and its requests come without the cookie. With a scope, a key that is for it
 * is its person. @throws KeyRefused
 */
export async function fileViewer(
  deps: ServingServices,
  c: HonoContext<HttpEnv>,
  keyScope?: ApiScope,
): Promise<{ viewer: string | null; bannedUntil?: string }> {
  const { raw } = c.req;
  const holder = keyScope ? await findHolder(deps, raw.headers, keyScope) : null;
  const { signedIn, bannedUntil } = await createCallContext(
    deps,
    holder,
    raw,
    c.env.incoming,
    () => {},
    c.var.requestId,
  );
  if (bannedUntil) return { viewer: signedIn?.userId ?? null, bannedUntil };
  if (signedIn) return { viewer: signedIn.userId };
  const token = readRefreshToken(c.req.raw.headers);
  const { requireSecondFactor } = deps.config.accounts;
  return { viewer: token ? ((await findSessionOfToken(deps.db, requireSecondFactor, token))?.userId ?? null) : null };
}

/** Headers are ASCII; JSON has an escape for everything else. */
function asciiJson(value: object): string {
  return JSON.stringify(value).replaceAll(
    /[^\x20-\x7e]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
