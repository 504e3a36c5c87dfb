// How long things stay on this server: what administrators set, and what it would delete now.
import type { Db } from '@parley/db/client';
import { auditEvents } from '@parley/db/tables/administration';
import type { RetentionRules } from '@parley/schema/convos/retention';
import { lt, sql } from 'drizzle-orm';
import { countLeft } from '../../files/sweep.ts';
import { router } from '../../http/trpc.ts';
import { countUntouched, RETENTION } from '../../trash/retention.ts';
import { adminProcedure } from '../admin-procedure.ts';
import { settingProcedures } from '../saved/setting-procedures.ts';

export const adminRetentionRouter = router({
  ...settingProcedures(RETENTION),

  /** What these rules would delete now. */
  count: adminProcedure.input(RETENTION.schema).query(({ ctx, input }) => countOld(ctx.deps, input)),
});

async function countOld({ db }: { db: Db }, { chatsDays, filesDays, auditDays }: RetentionRules) {
  const [{ chats, people }, files, events] = await Promise.all([
    chatsDays === null ? { chats: 0, people: 0 } : countUntouched(db, chatsDays),
    countLeft(db, filesDays ?? 0),
    auditDays === null
      ? 0
      : db.query.$count(auditEvents, lt(auditEvents.at, sql`now() - make_interval(days => ${auditDays})`)),
  ]);
  return { chats, people, files, events };
}
