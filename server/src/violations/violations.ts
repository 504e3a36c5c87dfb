// What is counted against who did it, and the ban that follows (C.3 of the REST facts). Only what a signed-in user does
// is counted: an attempt to sign in names an account, but anybody can name it.
import type { Db } from '@parley/db/client';
import { users } from '@parley/db/tables/users';
import { violations } from '@parley/db/tables/violations';
import type { Violation } from '@parley/schema/reasons';
import { eq, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { audit } from '../auth/audit.ts';
import type { Authenticator } from '../auth/authenticator.ts';
import { endAllSessions, endAllSessionsByBan } from '../auth/sessions.ts';
import type { Config } from '../config.ts';
import { banNetwork } from './network-bans.ts';

export type ViolationType =
  'concurrent' | 'message_limit' | 'file_upload_limit' | 'illegal_model_request' | 'non_browser';

export interface Offender {
  userId: string;
  /** Null when nobody knows. */
  ip: string | null;
}

export interface Violations {
  /** Counts one, bans when it is one too many, and tells the score of this type before and after it. */
  count(offender: Offender, type: ViolationType): Promise<Violation>;
}

interface Parts {
  db: Db;
  log: Logger;
  auth: Pick<Authenticator, 'forgetUser'>;
  bans: Config['bans'];
}

export function createViolations({ db, log, auth, bans }: Parts): Violations {
  return { count };

  async function count(offender: Offender, type: ViolationType): Promise<Violation> {
    const { userId } = offender;
    const score = scoreOf(bans.scores, type);
    const after = await addScore(db, userId, type, score);
    const before = after - score;
    audit({ log }, 'violation', { userId, violation: type, score: after });
    if (bans.enabled && crosses(before, after, bans.interval)) await ban(offender);
    return { before, after };
  }

  async function ban({ userId, ip }: Offender): Promise<void> {
    const { durationMs } = bans;
    if (durationMs === 0) await endAllSessions(db, userId);
    else {
      const until = sql`now() + make_interval(secs => ${durationMs / 1000})`;
      await db.query.update(users).set({ bannedUntil: until }).where(eq(users.id, userId));
      await endAllSessionsByBan(db, userId);
    }
    auth.forgetUser(userId);
    audit({ log }, 'banned', { userId, minutes: Math.round(durationMs / 60_000) });
    const network = ip === null || durationMs === 0 ? null : await banNetwork(db, ip, durationMs);
    if (network) audit({ log }, 'network_banned', { key: network });
  }
}

/** Each time the sum of scores reaches or passes a multiple of the interval. */
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
