// Goes on with a research whose process has died: from its rows and its log, with the rights that its person has now.
import type { Db } from '@parley/db/client';
import { generations } from '@parley/db/tables/generations';
import { users } from '@parley/db/tables/users';
import { eq } from 'drizzle-orm';
import type { AskInput } from '@parley/schema/chat/ask';
import type { Reservation } from '../../billing/reservation.ts';
import { ASKER } from '../../convos/changes.ts';
import { foldAll, readEntries } from '../../messages/stored-log.ts';
import { Refusal } from '../../platform/errors.ts';
import { endResearch, readResearch } from '../../research/rows.ts';
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
    const found = await resolve(deps, userId, row.ask);
    if (!found) {
      await endResearch(db, key);
      return false;
    }
    const { ask, target, created } = found;
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
    startRun(ask, result, target, {
      epoch,
      entries,
      row,
      parts: foldAll(created.reply, entries).parts,
    });
    return true;
  };
}

/** Null where it is refused now, or its messages are gone. */
async function resolve(deps: ResolveDeps, userId: string, input: AskInput) {
  try {
    const [resolved] = await resolveAsks(deps, userId, [input], {});
    const [created] = (await findExisting(deps.db.query, userId, [input])) ?? [];
    return resolved?.target && created ? { ask: resolved.ask, target: resolved.target, created } : null;
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
