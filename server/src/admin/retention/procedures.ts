// How long things stay on this server: what administrators set, and what it would delete now.
import type { Db } from '@parley/db/client';
import { auditEvents } from '@parley/db/tables/administration';
import type { RetentionSetting } from '@parley/schema/convos/retention';
import { lt, sql } from 'drizzle-orm';
import * as z from 'zod';
import type { Config } from '../../config/config.ts';
import { countLeft } from '../../files/sweep.ts';
import { router } from '../../http/trpc.ts';
import { countUntouched, effectiveRetention, readRetention, RETENTION, RetentionDays } from '../../trash/retention.ts';
import { adminProcedure } from '../admin-procedure.ts';
import { recordEvent, type Actor } from '../audit-events.ts';
import { assertStillAdministrator } from '../people/change-person.ts';
import { writeSetting } from '../saved/change.ts';

const Rules = z.strictObject({ chatsDays: RetentionDays, filesDays: RetentionDays, auditDays: RetentionDays });
/** `version` is that of the setting that was read. */
const SetRetention = Rules.extend({ version: z.int().nonnegative() });

interface From {
  db: Db;
  config: Config;
}

export const adminRetentionRouter = router({
  get: adminProcedure.query(({ ctx }) => retentionSetting(ctx.deps)),

  /** What these rules would delete now. */
  count: adminProcedure.input(Rules).query(({ ctx, input }) => countOld(ctx.deps, input)),

  set: adminProcedure.input(SetRetention).mutation(({ ctx, input }) => setRetention(ctx.deps, ctx.actor, input)),
});

async function retentionSetting({ db, config }: From): Promise<RetentionSetting> {
  const stored = await readRetention(db.query);
  const { chatsDays, filesDays, auditDays } = config.accounts.retention;
  return {
    ...effectiveRetention(config, stored),
    version: stored.version,
    isChatsFixed: chatsDays !== undefined,
    isFilesFixed: filesDays !== undefined,
    isAuditFixed: auditDays !== undefined,
  };
}

async function countOld({ db }: From, { chatsDays, filesDays, auditDays }: z.output<typeof Rules>) {
  const [{ chats, people }, files, events] = await Promise.all([
    chatsDays === null ? { chats: 0, people: 0 } : countUntouched(db, chatsDays),
    countLeft(db, filesDays ?? 0),
    auditDays === null
      ? 0
      : db.query.$count(auditEvents, lt(auditEvents.at, sql`now() - make_interval(days => ${auditDays})`)),
  ]);
  return { chats, people, files, events };
}

/**
 * What the environment decides stays as it is stored.
 * @throws Refusal `conflict` when somebody else has changed it since it was read
 */
async function setRetention({ db, config }: From, actor: Actor, input: z.output<typeof SetRetention>): Promise<void> {
  await db.query.transaction(async (tx) => {
    await assertStillAdministrator(tx, actor);
    const stored = await readRetention(tx);
    const fixed = config.accounts.retention;
    const value = {
      chatsDays: fixed.chatsDays === undefined ? input.chatsDays : stored.chatsDays,
      filesDays: fixed.filesDays === undefined ? input.filesDays : stored.filesDays,
      auditDays: fixed.auditDays === undefined ? input.auditDays : stored.auditDays,
    };
    await writeSetting(tx, actor, { name: RETENTION, value, version: input.version });
    await recordEvent(tx, actor, { event: 'retention.changed', details: value });
  });
}
