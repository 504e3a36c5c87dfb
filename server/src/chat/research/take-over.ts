// Goes on with a research whose process has died: from its rows and its log, with the rights that its person has now.
import type { Db } from '@parley/db/client';
import { generations } from '@parley/db/tables/generations';
import { users } from '@parley/db/tables/users';
import { eq } from 'drizzle-orm';
import type { Reservation } from '../../billing/reservation.ts';
import { ASKER } from '../../convos/changes.ts';
import { foldAll, readEntries } from '../../messages/stored-log.ts';
import { Refusal } from '../../platform/errors.ts';
import { readResearch } from '../../research/rows.ts';
import { findExisting } from '../begin/existing-asks.ts';
import { resolveAsks, type ResolveDeps } from '../begin/resolve-asks.ts';
import type { GoOn } from '../finalize.ts';
import type { StartRun } from '../run.ts';

export function createGoOn(deps: ResolveDeps, startRun: StartRun): GoOn {
  const { db } = deps;
  return async (key) => {
    const { userId, generationId, epoch } = key;
    const row = await readResearch(db.query, key);
    if (!row || row.generationId !== generationId || row.state === 'ended') return false;
    const resolved = await resolve(deps, userId, row.ask);
    const [created] = (await findExisting(db.query, userId, [row.ask])) ?? [];
    if (!resolved?.target || !created) return false;
    const run = await readRun(db, generationId);
    const entries = await readEntries(db, generationId, 0);
    const [account] = await db.query.select({ asker: ASKER }).from(users).where(eq(users.id, userId));
    const result = {
      created,
      asker: account?.asker ?? {},
      written: null,
      isNew: true,
      stopRequested: run.stopRequested,
      reserved: run.reserved,
      untitled: created.convo.title === null,
    };
    startRun(resolved.ask, result, resolved.target, {
      epoch,
      entries,
      row,
      parts: foldAll(created.reply, entries).parts,
    });
    return true;
  };
}

async function resolve(deps: ResolveDeps, userId: string, input: Parameters<typeof resolveAsks>[2][number]) {
  try {
    const [resolved] = await resolveAsks(deps, userId, [input], {});
    return resolved;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

async function readRun({ query }: Db, generationId: string) {
  const [row] = await query.select().from(generations).where(eq(generations.id, generationId));
  const { reservation = null, budgeted = null, stopRequested = false } = row ?? {};
  const credits = reservation ?? budgeted;
  const reserved: Reservation | null =
    credits === null
      ? null
      : {
          credits,
          promptTokens: 0,
          isOfBalance: reservation !== null,
          isOfBudget: budgeted !== null,
          ofKey: null,
        };
  return { reserved, stopRequested };
}
