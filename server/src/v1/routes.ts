// `/v1`: what programs call by a key, in OpenAI's protocols and Anthropic's. The official clients work by its address and
// the key alone.
import { randomUUID } from 'node:crypto';
import type { Context, Hono, MiddlewareHandler } from 'hono';
import { dropBody, readText, turnToParse, tooLarge } from '../http/request-body.ts';
import { logError } from '../platform/log-error.ts';
import type { HttpEnv } from '../platform/requests/http-env.ts';
import { clientIp } from '../platform/requests/request-info.ts';
import { ApiError, apiFault, respondFault, UNEXPECTED } from './api-error.ts';
import type { ApiRoute } from './api-route.ts';
import { API_ROWS } from './api-rows.ts';
import { assertHolder, assertScope, keyIn, KeyRefused } from '../api-keys/principal.ts';
import { mountDocument, documentHead } from '../http/openapi/mount-document.ts';
import type { ApiServices } from './api-services.ts';

/** In bytes: several pictures, or as much text as a window of a million tokens takes. */
const BODY_MAX = 16 * 1024 * 1024;

const DOCUMENT = '/v1/openapi.json';

export function mountV1(hono: Hono<HttpEnv>, deps: ApiServices): void {
  hono.use('/v1/*', crossOrigin);
  for (const row of API_ROWS) hono.on(row.method, patternOf(row), (c) => deps.openCalls.add(respond(deps, row, c)));
  mountDocument(hono, DOCUMENT, async () => {
    const { v1Document } = await import('./openapi/openapi-document.ts');
    return v1Document(documentHead(deps.config, '/v1'));
  });
  hono.all('/v1/*', () => respondFault(UNKNOWN_PATH));
}

/** Ids of models have slashes. */
function patternOf({ path }: ApiRoute): string {
  return path.replace('{model}', ':model{.+}');
}

const UNKNOWN_PATH = {
  status: 404,
  type: 'invalid_request_error' as const,
  code: 'unknown_url',
  message: 'This address does not exist. /v1/openapi.json lists those that do.',
};

async function respond(
  deps: ApiServices,
  { method, path, scope, errorBody, answer }: ApiRoute,
  c: Context<HttpEnv>,
): Promise<Response> {
  const { raw } = c.req;
  let userId = '';
  const report = (error: unknown) =>
    logError(deps.log, error, {
      event: 'request.failed',
      path: `${method} ${path}`,
      requestId: c.var.requestId,
      userId,
    });
  try {
    const holder = await assertHolder(deps, raw.headers);
    ({ userId } = holder);
    assertScope(holder, scope);
    const client = { ip: clientIp(deps.config, c.env.incoming), userAgent: raw.headers.get('user-agent') };
    const body = method === 'POST' ? await readJson(raw) : null;
    const request = { holder, client, signal: raw.signal, id: randomUUID(), params: c.req.param(), body, report };
    return await answer(deps, request);
  } catch (error) {
    // What is wrong with a request or its key is an answer, and no fault of the server.
    if (!raw.signal.aborted && !(error instanceof ApiError || error instanceof KeyRefused)) report(error);
    if (error instanceof KeyRefused) await dropBody(raw);
    return respondFault(apiFault(error) ?? UNEXPECTED, errorBody);
  }
}

/** @throws ApiError for what is no JSON, or too long */
async function readJson(request: Request): Promise<unknown> {
  const read = await readText(request, BODY_MAX, null);
  if (typeof read === 'string') refuseBody(413, tooLarge(BODY_MAX));
  await turnToParse(read.text);
  try {
    return JSON.parse(read.text);
  } catch {
    return refuseBody(400, 'The body is no JSON.');
  }
}

function refuseBody(status: number, message: string): never {
  throw new ApiError({ status, type: 'invalid_request_error', code: null, message });
}

const ALLOWED = {
  'Access-Control-Allow-Methods': 'GET, POST',
  'Access-Control-Max-Age': '7200',
};

/**
 * Pages of any site may call with a key of their person, and without anything else that browsers know: cookies open
 * nothing here.
 */
const crossOrigin: MiddlewareHandler<HttpEnv> = async (c, next) => {
  const asked = c.req.header('access-control-request-headers') ?? '';
  if (c.req.method === 'OPTIONS') {
    const isForKey = /(?:^|[\s,])(?:authorization|x-api-key)(?:[\s,]|$)/i.test(asked);
    const allowed = { ...ALLOWED, 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': asked };
    return new Response(null, { status: 204, headers: isForKey ? allowed : {} });
  }
  await next();
  if (keyIn(c.req.raw.headers) === null) return;
  c.res.headers.set('Access-Control-Allow-Origin', '*');
  c.res.headers.set('Access-Control-Expose-Headers', 'x-request-id, retry-after');
};
