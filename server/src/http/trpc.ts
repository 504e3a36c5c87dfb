// tRPC setup: context, error format, public and protected procedures.
import { initTRPC, TRPCError, type TRPCBuiltRouter, type TRPCDefaultErrorShape } from '@trpc/server';
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import type { Reason } from '@parley/schema/reasons';
import * as z from 'zod';
import type { KeyHolder } from '../platform/requests/key-holder.ts';
import type { AuthSession } from '../platform/requests/auth-session.ts';
import type { Client } from '../platform/requests/client.ts';
import type { LongResponses } from './long-responses.ts';
import type { OpenCalls, Socket } from './open-calls.ts';
import type { Http } from '../platform/requests/request-info.ts';
import { Refusal, refuse } from '../platform/errors.ts';
import { reasonOfDatabase } from '../platform/database-fault.ts';
import { reasonStatus } from '../platform/reasons.ts';
import type { CoreServices } from '../platform/requests/request-services.ts';

const TYPES: Readonly<Record<string, string>> = {
  string: 'must be a string',
  number: 'must be a number',
  nan: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
  record: 'must be an object',
  date: 'must be a date',
};

const ONE_AND_MORE: Readonly<Record<string, readonly [one: string, more: string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
  set: ['entry', 'entries'],
};

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'must be a UUID',
  guid: 'must be a UUID',
  email: 'must be an e-mail address',
  url: 'must be an address',
  datetime: 'must be an ISO date',
};

/** What every call finds. */
export interface CallServices extends CoreServices {
  /** A shutdown waits for them. */
  openCalls: OpenCalls;
}

export interface Context<Services = CallServices> {
  deps: Services;
  /** Null over a websocket. */
  http: Http | null;
  /** Absent for a call from inside the server. */
  client?: Client | undefined;
  /** The request's id in the log; a websocket counts as one request. */
  requestId?: string | undefined;
  socket: Socket | null;
  token: string | null;
  signedIn: AuthSession | null;
  /** The key of its person by which a program calls. */
  program?: KeyHolder | undefined;
  /** Whose session may only add a second factor. */
  limited?: AuthSession | null | undefined;
  /** Where results that may be long are written; absent where no tRPC response over HTTP is. */
  longResponses?: LongResponses | undefined;
  /** The end of the ban, if the user is banned. */
  bannedUntil?: string | null | undefined;
}

/** A router whose calls find these services. */
export type RouterWith<Services> = TRPCBuiltRouter<
  {
    ctx: Context<CallServices & Services>;
    meta: object;
    errorShape: ReturnType<typeof formatError>;
    transformer: false;
  },
  Record<never, never>
>;

/** Routers that can be mounted where calls find these services. */
export type Mountable<Services> = Record<
  string,
  { createCaller: (context: Context<CallServices & Services>) => unknown }
>;

// Otherwise people would read the library's own words.
z.config({ customError: validationMessage });

function formatError({ shape, error }: { shape: TRPCDefaultErrorShape; error: TRPCError }) {
  const reason = errorReason(error);
  // Errors of a running subscription bypass the middleware that sets the status.
  const isLate = reason !== null && shape.data.code === 'INTERNAL_SERVER_ERROR';
  const code = isLate ? codeOf(reason) : shape.data.code;
  return {
    ...shape,
    code: TRPC_ERROR_CODES_BY_KEY[code],
    // The message of an internal error may contain anything, such as SQL with its values.
    message: reason ? reason.type : shape.data.httpStatus < 500 ? shape.message : 'Internal error',
    data: { code, httpStatus: reason ? reasonStatus(reason) : shape.data.httpStatus, reason },
  };
}

const options = { isDev: false, errorFormatter: formatError };
const t = initTRPC.context<Context>().create(options);

export const router = t.router;
export const mergeRouters = t.mergeRouters;

/** Maps refusals to HTTP status codes. */
const withStatus = t.middleware(async ({ next }) => {
  const result = await next();
  // JSON has no undefined: what tells nothing is null.
  if (result.ok) return { ...result, data: result.data ?? null };
  if (!(result.error.cause instanceof Refusal)) return result;
  const { cause } = result.error;
  throw new TRPCError({ code: codeOf(cause.reason), message: cause.message, cause });
});

/** A subscription ends with its connection; other calls are let end. */
const counted = t.middleware(({ ctx, type, next }) =>
  type === 'subscription' ? next() : ctx.deps.openCalls.add(next(), ctx.socket),
);

/** For queries whose result may be long. */
export const writtenInSlices = t.middleware(async ({ ctx, next }) => {
  const result = await next();
  if (!result.ok || !ctx.longResponses) return result;
  return { ...result, data: await ctx.longResponses.keep(result.data) };
});

export const publicProcedure = t.procedure.use(counted).use(withStatus);

/** Deny by default: everything that is not public needs a live session. */
export const protectedProcedure = publicProcedure.use(({ ctx, next }) => {
  const { userId: id, sid } = ctx.signedIn ?? rejectUnauthenticated(ctx);
  return next({ ctx: { user: { id, sid } } });
});

/** What a session may do that lacks the second factor which the operator asks for. */
export const limitedProcedure = publicProcedure.use(({ ctx, next }) => {
  const { userId: id, sid } = ctx.signedIn ?? ctx.limited ?? rejectUnauthenticated(ctx);
  return next({ ctx: { user: { id, sid } } });
});

/** For a room whose procedures use services beyond those of every call. */
export function withServices<Services>() {
  const { procedure, router, createCallerFactory } = initTRPC
    .context<Context<CallServices & Services>>()
    .create(options);
  return {
    router,
    createCallerFactory,
    procedure,
    publicProcedure: procedure.concat(publicProcedure),
    protectedProcedure: procedure.concat(protectedProcedure),
    limitedProcedure: procedure.concat(limitedProcedure),
  };
}

function rejectUnauthenticated({ bannedUntil, limited }: Pick<Context, 'bannedUntil' | 'limited'>): never {
  if (limited) refuse({ type: 'factor_missing' });
  refuse(bannedUntil ? { type: 'banned', until: bannedUntil } : { type: 'unauthorized' });
}

/** The reason for the client; null for internal errors. */
export function errorReason(error: Error): Reason | null {
  const cause = error instanceof TRPCError ? error.cause : error;
  if (cause instanceof Refusal) return cause.reason;
  if (cause instanceof z.ZodError)
    return { type: 'invalid_input', text: cause.issues[0]?.message ?? 'The input is not valid' };
  return reasonOfDatabase(cause);
}

const CODES: Readonly<Record<number, TRPCError['code']>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  402: 'PAYMENT_REQUIRED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  422: 'UNPROCESSABLE_CONTENT',
  429: 'TOO_MANY_REQUESTS',
  502: 'BAD_GATEWAY',
  503: 'SERVICE_UNAVAILABLE',
};

function codeOf(reason: Reason): TRPCError['code'] {
  return CODES[reasonStatus(reason)] ?? 'INTERNAL_SERVER_ERROR';
}

// What is wrong with a field, for rules that have no words of their own.

/** A sentence that begins with the field's name, such as `title is required`. */
export function validationMessage(issue: z.core.$ZodRawIssue): string {
  const field = issue.path?.findLast((step) => typeof step === 'string') ?? 'The input';
  return `${field} ${faultOf(issue)}`;
}

function faultOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : (TYPES[issue.expected] ?? 'is not valid');
    case 'too_small':
      return `must ${bound(issue.origin, 'at least', issue.minimum)}`;
    case 'too_big':
      return `must ${bound(issue.origin, 'at most', issue.maximum)}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'is not valid';
    case 'invalid_value':
      return `must be ${issue.values.map(String).join(' or ')}`;
    case 'unrecognized_keys':
      return `must not have ${issue.keys.join(', ')}`;
    default:
      return issue.input === undefined ? 'is required' : 'is not valid';
  }
}

function bound(origin: string, side: string, limit: number | bigint): string {
  const units = ONE_AND_MORE[origin];
  return units ? `have ${side} ${limit} ${units[Number(limit) === 1 ? 0 : 1]}` : `be ${side} ${limit}`;
}
