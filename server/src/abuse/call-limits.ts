// Rate limits on expensive calls, above what anybody does by hand.
import type { Db } from '@parley/db/client';
import { refuse } from '../platform/errors.ts';
import { consume, ipNetwork, type RateLimitResult } from '../platform/rate-limiter.ts';
import type { Context } from '../http/trpc.ts';

/** Calls per user and minute. The search box and the editor of actions send one at every pause in typing. */
const PER_MINUTE = {
  search: 120,
  budget: 60,
  tokenCount: 120,
  parseSpec: 60,
  tryAction: 30,
  mcp: 30,
  share: 60,
  findPerson: 20,
  // Each may copy thousands of messages.
  fork: 20,
} as const;

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

/** Calls per user and minute: an answer has dozens of sentences, and a conversation a turn every few seconds. */
const SPEECH_PER_MINUTE = { stt: 30, tts: 240 } as const;

/** The same for speech, which is called outside of procedures. @throws Refusal `too_many_attempts` */
export async function limitSpeech(db: Db, userId: string, call: keyof typeof SPEECH_PER_MINUTE): Promise<void> {
  const { allowed, retryAfterSeconds } = await consume(db, `${call}:user:${userId}`, SPEECH_PER_MINUTE[call], 60);
  if (!allowed) refuse({ type: 'too_many_attempts', retryAfterSeconds });
}

/** What visitors of shared conversations read per address and minute: a page has many files. */
const VISITS_PER_MINUTE = { page: 300, file: 1200 } as const;

/** Counts a visit of somebody who need not be signed in, by the address. */
export function isVisitAllowed(db: Db, what: keyof typeof VISITS_PER_MINUTE, ip: string): Promise<RateLimitResult> {
  const key = what === 'page' ? 'visit' : `visit-${what}`;
  return consume(db, `${key}:ip:${ipNetwork(ip)}`, VISITS_PER_MINUTE[what], 60);
}

/** The same for a call. @throws Refusal `too_many_attempts`, with `Retry-After` set */
export async function limitVisitors(ctx: Context): Promise<void> {
  if (!ctx.http) return;
  const { allowed, retryAfterSeconds } = await isVisitAllowed(ctx.deps.db, 'page', ctx.http.ip);
  if (allowed) return;
  ctx.http.setHeader('Retry-After', String(retryAfterSeconds));
  refuse({ type: 'too_many_attempts', retryAfterSeconds });
}
