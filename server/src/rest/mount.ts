// The REST paths, for existing clients of this API and for scripts. A path is one row of the table that calls a
// procedure: what is not allowed, not valid or too much is refused there, once.
import type { HttpBindings } from '@hono/node-server';
import type { Context as HonoContext, Hono } from 'hono';
import type { Deps } from '../deps.ts';
import { refuse } from '../errors.ts';
import { reportFault } from '../report.ts';
import { createCaller } from '../router.ts';
import type { Context } from '../trpc.ts';
import { readBody, type Unreadable } from './body.ts';
import { contextOf } from '../context.ts';
import { answerRefused, refusedWith } from './refused.ts';
import type { Call, Row } from './row.ts';
import { FAILED } from './sentences.ts';
import { table } from './table.ts';

type Bindings = { Bindings: HttpBindings };

export function mountRest(hono: Hono<Bindings>, deps: Deps): void {
  for (const row of table)
    hono.on(row.method, row.path, (c) => answer(deps, row, c).catch((error) => fault(deps, row, c, error)));
}

async function answer(deps: Deps, row: Row, c: HonoContext<Bindings>): Promise<Response> {
  const { raw: request } = c.req;
  const body = await readBody(request);
  if (typeof body === 'string') return refuseBody(body);
  const added = new Headers();
  const ctx = await contextOf(deps, request, c.env.incoming, (name, value) => added.append(name, value));
  const response = await handle(row, ctx, {
    params: c.req.param(),
    query: new URL(request.url).searchParams,
    // Procedures check their input, whatever its type says.
    body: body as never,
    userId: ctx.signedIn?.userId ?? '',
    signal: request.signal,
    report: (error) => reportFault(deps.log, errorOf(error), `${row.method} ${row.path}`),
  });
  for (const [name, value] of added) response.headers.append(name, value);
  return response;
}

async function handle(row: Row, ctx: Context, call: Call): Promise<Response> {
  try {
    // Who is banned is told so by the procedure: an ask has its own way to say it.
    if (!row.isOpen && !ctx.signedIn && !ctx.bannedUntil) refuse({ type: 'unauthorized' });
    const answered = await row.handle(createCaller(ctx, { signal: call.signal }), call);
    return answered instanceof Response ? answered : Response.json(answered ?? null);
  } catch (error) {
    const refused = refusedWith(error);
    if (!refused) throw error;
    // A ban is not what a path has words of its own for.
    const own = refused.reason.type === 'banned' ? null : row.refused(refused, call);
    return own ?? answerRefused(refused);
  }
}

/** Whoever left in the middle of a request has made it fail; everything else is ours to look at. */
function fault(deps: Deps, row: Row, c: HonoContext<Bindings>, error: unknown): Response {
  if (!c.req.raw.signal.aborted) reportFault(deps.log, errorOf(error), `${row.method} ${row.path}`);
  return Response.json({ message: FAILED }, { status: 500 });
}

function errorOf(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function refuseBody(why: Unreadable): Response {
  switch (why) {
    case 'malformed':
      return Response.json({ message: 'The body must be one JSON object.' }, { status: 400 });
    case 'too large': {
      const message = 'The request is larger than 3 MB.';
      // What is left of it stays unread, so nothing can follow it on this connection.
      return Response.json({ message }, { status: 413, headers: { Connection: 'close' } });
    }
    default:
      return why satisfies never;
  }
}
