// What a server does beside exchanges, each as often as its clock says.
import { randomUUID } from 'node:crypto';
import type { Db } from '@parley/db/client';
import { serverUsage, usageLines } from '@parley/server/admin/usage/server-usage';
import { sweepConnections } from '@parley/server/actions/rows';
import { sweepResets } from '@parley/server/auth/reset/reset-links';
import { sweepExpired } from '@parley/server/auth/session/sessions';
import { recoverExpiredRuns, sweepGenerations } from '@parley/server/chat/recovery';
import { sweepKeys } from '@parley/server/keys/keys';
import { sweepRateLimits } from '@parley/server/platform/rate-limiter';
import { sweepWords } from '@parley/server/search/sweep';
import { sweepShares } from '@parley/server/shares/shares';
import { sweepTemporary, sweepTrash } from '@parley/server/trash/sweep';
import { gatherUsage } from '@parley/server/usage/gather';

/** What reads the usage of a month reads a row for each day of each person: it grows with people, not with exchanges. */
export const OF_PEOPLE = ['report of usage, by person', 'the file of usage, one part'];

type Work = () => Promise<unknown>;

/** @param asker the id of a person */
export function listWork(db: Db, asker: string): [name: string, work: Work][] {
  const month = new Date().toISOString().slice(0, 7);
  return [
    ['recovery: a look', () => recoverExpiredRuns(db, randomUUID())],
    ['recovery: a call of a program is taken and ended', () => recoverOne(db, asker)],
    ['usage is gathered', () => gatherUsage(db)],
    ['report of usage, by person', () => serverUsage(db, { by: 'person' })],
    ['report of usage, by model', () => serverUsage(db, { by: 'model' })],
    ['the file of usage, one part', () => usageLines(db, { month })],
    ['sweep: logs of answers', () => sweepGenerations(db)],
    ['sweep: trash', () => sweepTrash(db)],
    ['sweep: temporary conversations', () => sweepTemporary(db)],
    ['sweep: shares', () => sweepShares({ db })],
    ['sweep: words', () => sweepWords(db)],
    ['sweep: sessions', () => sweepExpired(db)],
    ['sweep: links of passwords', () => sweepResets(db)],
    ['sweep: limits', () => sweepRateLimits(db)],
    ['sweep: keys', () => sweepKeys(db)],
    ['sweep: connections', () => sweepConnections(db)],
  ];
}

async function recoverOne(db: Db, asker: string): Promise<void> {
  await db.sql`
    insert into generations (id, user_id, kind, endpoint, owner, lease_until)
    values (${randomUUID()}, ${asker}, 'api', 'openAI', ${randomUUID()}, now() - interval '1 minute')`;
  await recoverExpiredRuns(db, randomUUID());
}
