// Mounts the REST API, for existing clients and scripts. Each route is one row of a table that calls a procedure:
// authorisation, validation and limits are in the procedures, once.
import type { Reason } from '@parley/schema/reasons';
import type { Context as HonoContext, Hono } from 'hono';
import { createCallContext, findHolder, watchKey } from '../api-keys/key-context.ts';
import { KeyRefused, type Door } from '../api-keys/principal.ts';
import { refuse } from '../platform/errors.ts';
import type { HttpEnv } from '../platform/requests/http-env.ts';
import { unsentBytes } from '../http/long-responses.ts';
import { logError } from '../platform/log-error.ts';
import { mountDocument, documentHead } from '../http/openapi/mount-document.ts';
import { bodyMaxOfRoute, dropBody, inTurnWhenLong, tooLarge } from '../http/request-body.ts';
import type { Api } from '../router.ts';
import type { Context } from '../http/trpc.ts';
import { askRows, unknownAskRows } from './ask-rows.ts';
import { readBody, type Unreadable } from './body.ts';
import { respondRefused, refusedRequest } from './errors.ts';
import type { Call, Route } from './route.ts';
import { INTERNAL_ERROR_MESSAGE, reasonText } from '../platform/reasons.ts';
import { routes } from './routes.ts';
import type { RequestServices } from '../platform/requests/request-services.ts';

interface RestServices extends RequestServices {
  keyHolders: Door['keyHolders'];
  browsersOnly(userId: string, client: NonNullable<Context['client']>): Promise<void>;
  endpoints: { restPaths(): Parameters<typeof askRows>[0] };
  /** The procedures for anyone who calls. */
  procedures(context: Context<unknown>, signal: AbortSignal): Api;
}

export function mountRest(hono: Hono<HttpEnv>, deps: RestServices): void {
  const asks = askRows(deps.endpoints.restPaths());
  for (const row of [...routes, ...asks]) hono.on(row.method, row.path, (c) => respondInTurn(deps, row, c));
  mountDocument(hono, '/api/openapi.json', async () => {
    const [{ restDocument }, { filePaths }] = await Promise.all([
      import('./openapi/rest-document.ts'),
      import('./openapi/file-paths.ts'),
    ]);
    return restDocument(documentHead(deps.config, '/api'), [...routes, ...asks, ...unknownAskRows, ...filePaths]);
  });
  for (const row of unknownAskRows) hono.on(row.method, row.path, (c) => respond(deps, row, c));
}

/** Paths that refuse clients which are no browsers, where that is configured; asks report it in their own way. */
const BROWSERS_ONLY = /^\/api\/(files|assistants(?!\/(?:v[12]\/)?chat))(\/|$)/;

/** What every route reports in the same way. */
const BY_DEFAULT: readonly Reason['type'][] = ['banned', 'factor_missing'];

function respondInTurn(deps: RestServices, row: Route, c: HonoContext<HttpEnv>): Promise<Response> {
  const { raw } = c.req;
  return inTurnWhenLong(raw, bodyMaxOfRoute(row, raw.headers), deps.auth, () => respond(deps, row, c));
}

async function respond(deps: RestServices, row: Route, c: HonoContext<HttpEnv>): Promise<Response> {
  const { raw: request } = c.req;
  const { requestId } = c.var;
  const began = performance.now();
  let userId = '';
  const report = (error: unknown) =>
    logError(deps.log, error, {
      event: 'request.failed',
      path: `${row.method} ${row.path}`,
      requestId,
      userId,
      ms: Math.round(performance.now() - began),
    });
  try {
    const holder = row.isPublic && !row.keyScope ? null : await findHolder(deps, request.headers, row.keyScope);
    const max = bodyMaxOfRoute(row, request.headers);
    // Who comes by a key is known already.
    const body = await readBody(request, max, holder ? null : deps.auth);
    if (typeof body === 'string') return refuseBody(body, max);
    const added = new Headers();
    const ctx = await createCallContext(
      deps,
      holder,
      request,
      c.env.incoming,
      (name, value) => added.append(name, value),
      requestId,
    );
    userId = ctx.signedIn?.userId ?? '';
    const response = await handle(deps, row, ctx, {
      params: c.req.param(),
      query: new URL(request.url).searchParams,
      // Procedures validate their own input, whatever its declared type.
      body: body as never,
      userId,
      signal: request.signal,
      report,
    });
    c.set('unsent', unsentBytes(response));
    for (const [name, value] of added) response.headers.append(name, value);
    if (holder) cutWithKey(deps, c, response);
    return response;
  } catch (error) {
    if (error instanceof KeyRefused) {
      await dropBody(request);
      return Response.json({ message: error.message }, { status: error.status });
    }
    // A client that disconnects makes its own request fail.
    if (!request.signal.aborted) report(error);
    // The session could not be looked up, for example.
    const refused = refusedRequest(error);
    return refused ? respondRefused(refused) : Response.json({ message: INTERNAL_ERROR_MESSAGE }, { status: 500 });
  }
}

/** A stream ends with its key; the answer goes on, as when its reader leaves. */
function cutWithKey(deps: RestServices, { req, env: { outgoing } }: HonoContext<HttpEnv>, { headers }: Response): void {
  if (!headers.get('content-type')?.startsWith('text/event-stream')) return;
  outgoing.once(
    'close',
    watchKey(deps, req.raw.headers, () => void outgoing.destroy()),
  );
}

async function handle(deps: RestServices, row: Route, ctx: Context<unknown>, call: Call): Promise<Response> {
  try {
    if (ctx.limited && !row.isPublic && !row.isForLimited) refuse({ type: 'factor_missing' });
    // The procedure refuses banned users: an ask reports a ban in its own way.
    if (!row.isPublic && !ctx.signedIn && !ctx.limited && !ctx.bannedUntil) refuse({ type: 'unauthorized' });
    if (ctx.signedIn && ctx.client && !ctx.program && BROWSERS_ONLY.test(row.path))
      await deps.browsersOnly(ctx.signedIn.userId, ctx.client);
    const answered = await row.handle(deps.procedures(ctx, call.signal), call);
    return answered instanceof Response ? answered : Response.json(answered ?? null);
  } catch (error) {
    const refused = refusedRequest(error);
    if (!refused) throw error;
    // The client gets the reason, and the operator may want to know of it as well.
    call.report(error);
    const own = BY_DEFAULT.includes(refused.reason.type) ? null : (row.refused?.(refused, call) ?? null);
    return own ?? respondRefused(refused);
  }
}

function refuseBody(why: Unreadable, max: number): Response {
  switch (why) {
    case 'malformed':
      return Response.json({ message: 'The body must be one JSON object.' }, { status: 400 });
    case 'other type':
      return Response.json({ message: 'The body must be JSON (application/json) or a form.' }, { status: 415 });
    case 'not signed in':
      return new Response(reasonText({ type: 'unauthorized' }), { status: 401 });
    case 'too large': {
      // The rest of the body stays unread, so the connection cannot be reused.
      return Response.json({ message: tooLarge(max) }, { status: 413, headers: { Connection: 'close' } });
    }
    default:
      return why satisfies never;
  }
}
