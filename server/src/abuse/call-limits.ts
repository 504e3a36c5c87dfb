// Rate limits on expensive calls, above what anybody does by hand.
import { refuse } from '../platform/errors.ts';
import { consume } from '../platform/rate-limiter.ts';
import type { Context } from '../http/trpc.ts';

/** Calls per user and minute. The search box and the editor of actions send one at every pause in typing. */
const PER_MINUTE = { search: 120, tokenCount: 120, parseSpec: 60, tryAction: 30, mcp: 30 } as const;

/**
 * Counts a user's call; calls from inside the server are free.
 * @throws Refusal `too_many_attempts`, with `Retry-After` set
 */
export async function limitCalls(ctx: Context, userId: string, call: keyof typeof PER_MINUTE): Promise<void> {
  if (!ctx.client) return;
  const { allowed, retryAfterSeconds } = await consume(ctx.deps.db, `${call}:user:${userId}`, PER_MINUTE[call], 60);
  if (allowed) return;
  ctx.http?.setHeader('Retry-After', String(retryAfterSeconds));
  refuse({ type: 'too_many_attempts', retryAfterSeconds });
}
