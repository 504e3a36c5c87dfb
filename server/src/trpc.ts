import { initTRPC, TRPCError } from '@trpc/server';
import { httpStatusOf, type Reason } from '@parley/schema/reasons';
import { ZodError } from 'zod';
import type { SignedIn } from './auth/authenticator.ts';
import type { Client } from './client.ts';
import type { Deps } from './deps.ts';
import { Refusal, refuse } from './errors.ts';

/** The HTTP request behind a call. */
export interface Http {
  ip: string;
  headers: Headers;
  /** Adds a header to the answer; several `Set-Cookie` stand side by side. */
  setHeader(name: string, value: string): void;
  secure: boolean;
}

/** A websocket as far as a subscription cares: how much of what it was sent is still waiting. */
export interface Socket {
  bufferedAmount: number;
}

export interface Context {
  deps: Deps;
  /** Null over a websocket. */
  http: Http | null;
  /** Absent for a call from inside the server. */
  client?: Client;
  socket: Socket | null;
  token: string | null;
  signedIn: SignedIn | null;
  /** Of a user who is not let in for this reason. */
  bannedUntil?: string | null;
}

const t = initTRPC.context<Context>().create({
  isDev: false,
  errorFormatter({ shape, error }) {
    const reason = reasonOf(error);
    return {
      ...shape,
      // What was thrown by accident may hold anything, SQL and its values included.
      message: reason ? reason.type : shape.data.httpStatus < 500 ? shape.message : 'Internal error',
      data: { code: shape.data.code, httpStatus: reason ? httpStatusOf(reason) : shape.data.httpStatus, reason },
    };
  },
});

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;

/** Gives refusals their HTTP status. */
const withStatus = t.middleware(async ({ next }) => {
  const result = await next();
  if (result.ok || !(result.error.cause instanceof Refusal)) return result;
  const { cause } = result.error;
  throw new TRPCError({ code: codeOf(httpStatusOf(cause.reason)), message: cause.message, cause });
});

export const publicProcedure = t.procedure.use(withStatus);

/** Deny by default: whatever is not for everyone needs a live session. */
export const protectedProcedure = publicProcedure.use(({ ctx, next }) => {
  const { userId: id, sid } = ctx.signedIn ?? turnAway(ctx);
  return next({ ctx: { user: { id, sid } } });
});

function turnAway({ bannedUntil }: Context): never {
  refuse(bannedUntil ? { type: 'banned', until: bannedUntil } : { type: 'unauthorized' });
}

/** The reason to tell the client; null for faults of ours. */
export function reasonOf(error: Error): Reason | null {
  const cause = error instanceof TRPCError ? error.cause : error;
  if (cause instanceof Refusal) return cause.reason;
  if (cause instanceof ZodError)
    return { type: 'invalid_input', text: cause.issues[0]?.message ?? 'The input is not valid' };
  return null;
}

function codeOf(status: number): TRPCError['code'] {
  switch (status) {
    case 400:
      return 'BAD_REQUEST';
    case 401:
      return 'UNAUTHORIZED';
    case 402:
      return 'PAYMENT_REQUIRED';
    case 403:
      return 'FORBIDDEN';
    case 404:
      return 'NOT_FOUND';
    case 409:
      return 'CONFLICT';
    case 422:
      return 'UNPROCESSABLE_CONTENT';
    case 429:
      return 'TOO_MANY_REQUESTS';
    case 502:
      return 'BAD_GATEWAY';
    case 503:
      return 'SERVICE_UNAVAILABLE';
    default:
      return 'INTERNAL_SERVER_ERROR';
  }
}
