// POST /api/files, /api/files/images and /api/files/images/avatar (docs/rest-compat.md, Files).
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiScope } from '@parley/schema/accounts/api-key-rules';
import type { Context as HonoContext, Hono } from 'hono';
import { createCallContext, findHolder } from '../../api-keys/key-context.ts';
import { KeyRefused } from '../../api-keys/principal.ts';
import type { HttpEnv } from '../../platform/requests/http-env.ts';
import { clientIp } from '../../platform/requests/request-info.ts';
import { Refusal, refuse } from '../../platform/errors.ts';
import { logError, logRefused } from '../../platform/log-error.ts';
import { readStatus } from '../../retrieval/documents.ts';
import { presentFile } from '../present.ts';
import { assertDiskSpace, assertQuota, NoSpace } from '../quota.ts';
import type { PresentFile } from '../serve/serve-route.ts';
import { respondBusy, respondFailed } from './failed-upload.ts';
import { discard } from './receive-upload.ts';
import { receiveAssistantAvatar, uploadAvatar } from './upload-avatar.ts';
import { uploadFile, type UploadServices } from './upload-file.ts';
import type { Authenticator } from '../../platform/requests/auth-session.ts';
import type { BrowsersOnly } from '../../abuse/browsers-only.ts';
import type { KeyHolders } from '../../api-keys/key-holders.ts';
import type { UploadLimits } from './upload-limits.ts';

interface UploadRouteServices extends UploadServices {
  auth: Authenticator;
  browsersOnly: BrowsersOnly;
  keyHolders: KeyHolders;
  uploads: UploadLimits;
  assistantUploads: AssistantUploads;
  presentUpload: PresentFile;
}

/** What assistants take. */
export interface AssistantUploads {
  /** @throws Refusal where nobody may change assistants */
  assertOn(): void;
  /** Whether the assistant has the file now. */
  addFile(userId: string, assistantId: string, fileId: string): Promise<boolean>;
  /** Saves the image at `path`; returns the assistant as clients expect it. */
  saveAvatar(userId: string, assistantId: string, path: string): Promise<object>;
}

type Kind = 'file' | 'image' | 'avatar' | 'assistant_avatar';

const PATHS: Readonly<Record<string, Kind>> = {
  '/api/files': 'file',
  '/api/files/images': 'image',
  '/api/files/images/avatar': 'avatar',
};

/** What a key must be for to send a file; pictures of people and assistants come from pages. */
const KEY_SCOPES: Readonly<Record<Kind, ApiScope | undefined>> = {
  file: 'files',
  image: 'files',
  avatar: undefined,
  assistant_avatar: undefined,
};

/** They are received by `speech/`. */
const RECORDINGS = '/api/files/speech/stt';

/** Clients of 0.7.5 name the version of the protocol. */
const ASSISTANT_AVATARS = ['', '/v1', '/v2'].map((version) => `/api/assistants${version}/avatar/`);

/** Whether a request is an upload, which may take longer than other requests and is watched on its own. */
export function isUpload(method: string, path: string): boolean {
  return (
    method === 'POST' &&
    (path.replace(/\/$/, '') in PATHS ||
      path === RECORDINGS ||
      ASSISTANT_AVATARS.some((begin) => path.startsWith(begin)))
  );
}

export function mountUploads(hono: Hono<HttpEnv>, deps: UploadRouteServices): void {
  for (const [path, kind] of Object.entries(PATHS)) hono.post(path, (c) => respond(deps, kind, path, c));
  for (const begin of ASSISTANT_AVATARS) {
    const ofAssistant = `${begin}:assistant_id`;
    hono.post(ofAssistant, (c) => respond(deps, 'assistant_avatar', ofAssistant, c));
  }
}

async function respond(
  deps: UploadRouteServices,
  kind: Kind,
  path: string,
  c: HonoContext<HttpEnv>,
): Promise<Response> {
  const { incoming } = c.env;
  const began = performance.now();
  const { requestId } = c.var;
  let userId: string | undefined;
  try {
    const holder = await findHolder(deps, c.req.raw.headers, KEY_SCOPES[kind]);
    const { signedIn, limited, bannedUntil, program } = await createCallContext(
      deps,
      holder,
      c.req.raw,
      incoming,
      () => {},
      requestId,
    );
    if (limited) return refuse({ type: 'factor_missing' });
    if (!signedIn) return rejectVisitor(bannedUntil ?? null);
    ({ userId } = signedIn);
    return await receive(deps, kind, { userId, isProgram: program !== undefined }, c);
  } catch (error) {
    await readOn(incoming);
    if (!incoming.destroyed) {
      const where = {
        path: `POST ${path}`,
        requestId,
        userId,
        ms: Math.round(performance.now() - began),
      };
      if (error instanceof Refusal) logRefused(deps.log, error, where);
      else if (!(error instanceof KeyRefused)) logError(deps.log, error, { event: 'request.failed', ...where });
    }
    if (error instanceof NoSpace && error.problem.type === 'disk_full')
      deps.log.error({ event: 'storage.full', path: `POST ${path}` }, error.text);
    return respondFailed(error);
  }
}

async function receive(
  deps: UploadRouteServices,
  kind: Kind,
  { userId, isProgram }: { userId: string; isProgram: boolean },
  c: HonoContext<HttpEnv>,
): Promise<Response> {
  const { incoming } = c.env;
  const client = { ip: clientIp(deps.config, incoming), userAgent: c.req.header('user-agent') ?? null };
  if (!isProgram) await deps.browsersOnly(userId, client);
  const leave = await deps.uploads.enter(userId, leftSignal(incoming));
  if (!leave) {
    await readOn(incoming);
    return respondBusy();
  }
  try {
    await deps.uploads.count(userId, client, isProgram);
    const declared = Number(c.req.header('content-length')) || 0;
    await assertQuota(deps.db.query, userId, deps.config.files.quotaBytes, declared);
    await assertDiskSpace(deps.config.server.dataDir, declared);
    if (kind === 'avatar') return Response.json({ url: await uploadAvatar(deps, userId, incoming) });
    if (kind === 'assistant_avatar') {
      deps.assistantUploads.assertOn();
      const assistantId = c.req.param('assistant_id') ?? '';
      const keep = (path: string) => deps.assistantUploads.saveAvatar(userId, assistantId, path);
      return Response.json(await receiveAssistantAvatar(deps, incoming, keep), { status: 201 });
    }
    const { row, assistantId } = await uploadFile(deps, userId, incoming, kind);
    // A file that comes to no assistant expires.
    if (assistantId !== null) deps.assistantUploads.assertOn();
    deps.retrieval.wake();
    const isUsed = assistantId !== null && (await deps.assistantUploads.addFile(userId, assistantId, row.id));
    const known = isUsed ? { ...row, expiresAt: null } : row;
    const file = presentFile(known, isUsed ? 1 : 0, await readStatus(deps.db.query, userId, row.id));
    return Response.json(deps.presentUpload(userId, file));
  } finally {
    leave();
  }
}

/** Aborts when the sender disconnects, as far as that is seen before the body is read. */
function leftSignal(incoming: IncomingMessage): AbortSignal {
  const left = new AbortController();
  incoming.once('close', () => left.abort());
  return left.signal;
}

function rejectVisitor(bannedUntil: string | null): Response {
  if (bannedUntil) return refuse({ type: 'banned', until: bannedUntil });
  return new Response('Unauthorized', { status: 401, headers: { Connection: 'close' } });
}

/** Milliseconds in which the rest of a refused upload is read. */
const READ_ON_MS = 2_000;

/**
 * Reads what a refused sender still sends, as long as that is not much: a connection that is closed before is an error
 * in its browser, which then never sees the reason.
 */
async function readOn(incoming: IncomingMessage): Promise<void> {
  const ending = new AbortController();
  await Promise.race([discard(incoming), sleep(READ_ON_MS, undefined, { signal: ending.signal }).catch(() => {})]);
  ending.abort();
}
