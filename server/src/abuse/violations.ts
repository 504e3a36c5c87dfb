// Violations of users and the bans that follow (docs/rest-compat.md, Rate limits and bans). Only actions of signed-in
// users count: anybody can name another's account in a sign-in attempt.
import type { Db } from '@parley/db/client';
import { violations } from '@parley/db/tables/limits';
import type { Violation } from '@parley/schema/reasons';
import { sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { audit } from '../platform/audit.ts';
import type { Authenticator } from '../platform/requests/auth-session.ts';
import { banUser, revokeAllSessions } from '../auth/session/sessions.ts';
import type { Config } from '../config/config.ts';
import { banNetwork } from '../auth/network-bans.ts';

export type ViolationType =
  | 'concurrent'
  | 'message_limit'
  | 'file_upload_limit'
  | 'illegal_model_request'
  | 'non_browser';

export interface Actor {
  userId: string;
  /** Null when unknown. */
  ip: string | null;
}

export interface Violations {
  /**
   * Records a violation, bans the user when the total score crosses a multiple of the interval, and returns the score
   * of this type before and after.
   */
  count(actor: Actor, type: ViolationType): Promise<Violation>;
}

interface Dependencies {
  db: Db;
  log: Logger;
  auth: Pick<Authenticator, 'invalidateUser'>;
  bans: Config['bans'];
}

export function createViolations({ db, log, auth, bans }: Dependencies): Violations {
  return { count };

  async function count(actor: Actor, type: ViolationType): Promise<Violation> {
    const { userId } = actor;
    const score = scoreOf(bans.scores, type);
    const after = await addScore(db, userId, type, score);
    const before = after - score;
    audit({ log }, 'violation', { userId, violation: type, score: after });
    if (bans.enabled && crosses(before, after, bans.interval)) await ban(actor);
    return { before, after };
  }

  async function ban({ userId, ip }: Actor): Promise<void> {
    const { durationMs } = bans;
    if (durationMs === 0) await revokeAllSessions(db, userId);
    else await banUser(db, userId, durationMs);
    auth.invalidateUser(userId);
    audit({ log }, 'banned', { userId, minutes: Math.round(durationMs / 60_000) });
    const network = ip === null || durationMs === 0 ? null : await banNetwork(db, ip, durationMs);
    if (network) audit({ log }, 'network_banned', { key: network });
  }
}

/** Whether the total score reaches or passes a multiple of the interval. */
function crosses(before: number, after: number, interval: number): boolean {
  return Math.floor(before / interval) !== Math.floor(after / interval);
}

async function addScore({ query }: Db, userId: string, type: ViolationType, score: number): Promise<number> {
  const [row] = await query
    .insert(violations)
    .values({ userId, type, count: 1, score })
    .onConflictDoUpdate({
      target: [violations.userId, violations.type],
      set: { count: sql`${violations.count} + 1`, score: sql`${violations.score} + ${score}`, updatedAt: sql`now()` },
    })
    .returning({ score: violations.score });
  return row?.score ?? score;
}

function scoreOf(scores: Config['bans']['scores'], type: ViolationType): number {
  switch (type) {
    case 'concurrent':
      return scores.concurrent;
    case 'message_limit':
      return scores.message;
    case 'file_upload_limit':
      return scores.fileUpload;
    case 'illegal_model_request':
      return scores.illegalModel;
    case 'non_browser':
      return scores.nonBrowser ?? 0;
    default:
      return type satisfies never;
  }
}
