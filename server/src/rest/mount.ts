// The REST paths, for existing clients of this API and for scripts. A path is one row of the table that calls a
// procedure: whoever may not, what is not valid and what there is too much of is refused there, once.
import type { HttpBindings } from '@hono/node-server';
import type { Context as HonoContext, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Deps } from '../deps.ts';
import { reportFault } from '../report.ts';
import { createCaller } from '../router.ts';
import { readBody } from './body.ts';
import { contextOf } from './context.ts';
import { answerRefused, refusedWith } from './refused.ts';
import type { Call, Row } from './row.ts';
import { FAILED } from './sentences.ts';
import { table } from './table.ts';

type Bindings = { Bindings: HttpBindings };

const BODY_MAX = 3 * 1024 * 1024;

export function mountRest(hono: Hono<Bindings>, deps: Deps): void {
  const tooLarge = () => refusal(413, 'The request is larger than 3 MB.');
  hono.use('/api/*', bodyLimit({ maxSize: BODY_MAX, onError: tooLarge }));
  for (const row of table) hono.on(row.method, row.path, (c) => answer(deps, row, c));
}

async function answer(deps: Deps, row: Row, c: HonoContext<Bindings>): Promise<Response> {
  const body = await readBody(c.req.raw);
  if (!body) return refusal(400, 'The body must be one JSON object.');
  const added = new Headers();
  const setHeader = (name: string, value: string) => added.append(name, value);
  const response = await call(deps, row, c, body, setHeader);
  for (const [name, value] of added) response.headers.append(name, value);
  return response;
}

async function call(
  deps: Deps,
  row: Row,
  c: HonoContext<Bindings>,
  body: Record<string, unknown>,
  setHeader: (name: string, value: string) => void,
): Promise<Response> {
  const { signal } = c.req.raw;
  const report = (error: Error) => reportFault(deps.log, error, `${row.method} ${row.path}`);
  const ctx = await contextOf(deps, c.req.raw, c.env.incoming, setHeader);
  const userId = ctx.signedIn?.userId ?? '';
  const query = new URL(c.req.url).searchParams;
  // Procedures check their input, whatever its type says.
  const made: Call = { params: c.req.param(), query, body: body as never, userId, signal, report };
  try {
    const answered = await row.handle(createCaller(ctx, { signal }), made);
    return answered instanceof Response ? answered : Response.json(answered ?? null);
  } catch (error) {
    return answerError(row, made, error instanceof Error ? error : new Error(String(error)));
  }
}

function answerError(row: Row, made: Call, error: Error): Response {
  const refused = refusedWith(error);
  if (refused) return row.refused(refused, made) ?? answerRefused(refused);
  made.report(error);
  return refusal(500, FAILED);
}

function refusal(status: number, message: string): Response {
  return Response.json({ message }, { status });
}
