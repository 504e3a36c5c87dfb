// tRPC over HTTP: limits the batch size and the body size before tRPC reads the request.
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import type { Reason } from '@parley/schema/reasons';
import type { Context, Hono } from 'hono';
import type { Authenticator } from '../platform/requests/auth-session.ts';
import { createContext } from './context.ts';
import type { HttpEnv } from '../platform/requests/http-env.ts';
import { compressed, createLongResponses, unsentBytes } from './long-responses.ts';
import { logError } from '../platform/log-error.ts';
import { bodyMaxOfCalls, inTurnWhenLong, readText, tooLarge, turnToParse } from './request-body.ts';
import type { CallServices, RouterWith } from './trpc.ts';
import type { RequestServices } from '../platform/requests/request-services.ts';

// Node's TextEncoderStream joins each chunk anew from its single characters: an event with an answer of 4 MB holds the
// event loop for a second, for each of its readers. tRPC encodes event streams with it.

/** Encodes each chunk as a whole; a surrogate pair may be split across two chunks. */
export class WholeTextEncoderStream extends TransformStream<string, Uint8Array<ArrayBuffer>> {
  readonly encoding = 'utf-8';

  constructor() {
    const encoder = new TextEncoder();
    let high = '';
    super({
      transform(chunk, controller) {
        const text = high + chunk;
        high = /[\ud800-\udbff]$/.exec(text.slice(-1))?.[0] ?? '';
        const whole = high === '' ? text : text.slice(0, -1);
        if (whole !== '') controller.enqueue(encoder.encode(whole));
      },
      flush(controller) {
        if (high !== '') controller.enqueue(encoder.encode(high));
      },
    });
  }
}

/** Longer batches never come from the web app. */
const BATCH_MAX = 20;
const ENDPOINT = '/trpc';

// tRPC takes no other encoder.
globalThis.TextEncoderStream = WholeTextEncoderStream;

/** Responses worth compressing: long threads shrink to a fifth or less. */
const LONG_ANSWERS = /\bmessages\.(open|bodies|list)\b/;

export function mountTrpc<Services extends RequestServices & CallServices>(
  hono: Hono<HttpEnv>,
  router: RouterWith<Services>,
  deps: Services,
): void {
  hono.use('/trpc/*', (c, next) => (LONG_ANSWERS.test(c.req.path) ? compressed(c, next) : next()));
  hono.all('/trpc/*', (c) => respondTrpc(router, deps, c));
}

async function respondTrpc<Services extends RequestServices & CallServices>(
  router: RouterWith<Services>,
  deps: Services,
  c: Context<HttpEnv>,
): Promise<Response> {
  const { raw } = c.req;
  const calls = callsIn(raw);
  if (!calls) return reject('BAD_REQUEST', 400, 'The address cannot be read.');
  if (calls.length > BATCH_MAX) return reject('BAD_REQUEST', 400, `More than ${BATCH_MAX} calls at once.`);
  const max = bodyMaxOfCalls(calls, raw.headers);
  return inTurnWhenLong(raw, max, deps.auth, () => respondCalls(router, deps, c, max));
}

async function respondCalls<Services extends RequestServices & CallServices>(
  router: RouterWith<Services>,
  deps: Services,
  c: Context<HttpEnv>,
  max: number,
): Promise<Response> {
  const { raw } = c.req;
  const { requestId } = c.var;
  const began = performance.now();
  const request = await withBody(deps.auth, raw, max);
  if (request instanceof Response) return request;
  const longResponses = isStreamed(raw.headers) ? null : createLongResponses();
  const response = await fetchRequestHandler({
    endpoint: ENDPOINT,
    req: request,
    router,
    // A query whose input is too long for a URL comes as a POST.
    allowMethodOverride: true,
    createContext: async ({ resHeaders }) => {
      const setHeader = (name: string, value: string) => resHeaders.append(name, value);
      return {
        ...(await createContext(deps, request, c.env.incoming, setHeader, requestId)),
        ...(longResponses && { longResponses }),
      };
    },
    onError: ({ error, path, ctx }) =>
      logError(deps.log, error, {
        event: 'request.failed',
        path,
        requestId,
        userId: ctx?.signedIn?.userId,
        ms: Math.round(performance.now() - began),
      }),
  });
  if (!longResponses) return response;
  const filled = await longResponses.fill(response);
  c.set('unsent', unsentBytes(filled));
  return filled;
}

/** tRPC then writes each answer when it is there, after the response has begun. */
function isStreamed(headers: Headers): boolean {
  return [headers.get('trpc-accept'), headers.get('accept')].some((given) => given?.includes('application/jsonl'));
}

/** The called procedures, as tRPC parses them: commas separate them, percent-encoded or not. Null when malformed. */
function callsIn({ url }: Request): string[] | null {
  try {
    return decodeURIComponent(new URL(url).pathname.slice(ENDPOINT.length + 1)).split(',');
  } catch {
    return null;
  }
}

/** The request with its body read, or the error response for a body that is not. */
async function withBody(auth: Authenticator, request: Request, max: number): Promise<Request | Response> {
  if (request.method === 'GET' || request.method === 'HEAD') return request;
  const { url, method, headers, signal } = request;
  const read = await readText(request, max, auth);
  if (read === 'too large') return reject('PAYLOAD_TOO_LARGE', 413, tooLarge(max));
  if (read === 'not signed in') return respondError('UNAUTHORIZED', 401, { type: 'unauthorized' });
  const { text: body } = read;
  const init = { method, headers, signal };
  if (!/^application\/json\b/i.test(headers.get('content-type') ?? ''))
    return new Request(url, { ...init, body: body === '' ? null : body });
  // Already text: a body would be encoded and decoded again, in one turn.
  return Object.assign(new Request(url, init), {
    json: async (): Promise<unknown> => {
      await turnToParse(body);
      return JSON.parse(body);
    },
  });
}

/** An error in tRPC's format. The rest of the request stays unread, so the connection closes. */
function reject(code: 'BAD_REQUEST' | 'PAYLOAD_TOO_LARGE', httpStatus: number, text: string): Response {
  return respondError(code, httpStatus, { type: 'invalid_input', text }, { Connection: 'close' });
}

function respondError(
  code: keyof typeof TRPC_ERROR_CODES_BY_KEY,
  httpStatus: number,
  reason: Reason,
  headers: Record<string, string> = {},
): Response {
  const error = { message: reason.type, code: TRPC_ERROR_CODES_BY_KEY[code], data: { code, httpStatus, reason } };
  return Response.json({ error }, { status: httpStatus, headers });
}
