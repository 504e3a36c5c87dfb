// The rows of a research: its plan, what its steps have found and paid. Each process goes on from them.
import { notifyAtCommit, type Db, type Query, type Tx } from '@parley/db/client';
import { generations } from '@parley/db/tables/generations';
import { researchNotes, researchRuns } from '@parley/db/tables/automation/research';
import type { AskInput } from '@parley/schema/chat/ask';
import type { ResearchPlan, StepState } from '@parley/schema/chat/research';
import { addUsage, type Usage } from '@parley/schema/catalog/usage';
import type { WebSource } from '@parley/schema/tools/web-sources';
import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { pay, type Item } from '../billing/balances.ts';
import { refuse } from '../platform/errors.ts';

export type ResearchRow = typeof researchRuns.$inferSelect;
export type NotesRow = typeof researchNotes.$inferSelect;
export type Source = Omit<WebSource, 'snippet'>;

/** Names the run that works at a research, and its owner: what another process has taken over is not written. */
export interface ResearchKey {
  userId: string;
  replyId: string;
  generationId: string;
  owner: string;
  epoch: number;
}

const CHANGED = 'The plan was changed on another device';

function rowOf({ userId, replyId }: Pick<ResearchKey, 'userId' | 'replyId'>) {
  return and(eq(researchRuns.userId, userId), eq(researchRuns.replyId, replyId));
}

export async function readResearch(
  query: Query,
  key: Pick<ResearchKey, 'userId' | 'replyId'>,
): Promise<ResearchRow | undefined> {
  const [row] = await query.select().from(researchRuns).where(rowOf(key));
  return row;
}

export async function readNotes(query: Query, { userId, replyId }: ResearchKey): Promise<NotesRow[]> {
  return query
    .select()
    .from(researchNotes)
    .where(and(eq(researchNotes.userId, userId), eq(researchNotes.replyId, replyId)))
    .orderBy(asc(researchNotes.createdAt), asc(researchNotes.n));
}

/**
 * Writes that an ask is for a report, or that its plan is started, in the transaction of the ask.
 * @throws Refusal `conflict` where the plan is not the one that its person saw, or is started already
 */
export async function beginResearch(tx: Tx, userId: string, input: AskInput, requestId: string): Promise<void> {
  const { replyId, generationId, target, research } = input;
  if (!research) return;
  const start = research.start;
  if (!start) {
    // Another process answers the question that is there.
    const stored: AskInput = { ...input, target: { kind: 'regenerate', parentMessageId: requestId } };
    const begun = { generationId, state: 'planning' as const, ask: stored };
    await tx
      .insert(researchRuns)
      .values({ userId, replyId, ...begun })
      .onConflictDoUpdate({ target: [researchRuns.userId, researchRuns.replyId], set: { ...begun, plan: null } });
    return;
  }
  const row = await lockWaiting(tx, { userId, replyId }, start.version);
  const plan: ResearchPlan = { ...row.plan, steps: start.steps.map((step) => ({ ...step, state: 'open' })) };
  await tx
    .update(researchRuns)
    .set({
      generationId,
      state: 'working',
      ask: { ...input, target },
      plan,
      budget: start.budget,
      version: row.version + 1,
      updatedAt: sql`now()`,
    })
    .where(rowOf(row));
}

/** @throws Refusal `not_found`, or `conflict` where it is another version or does not wait */
export async function lockWaiting(
  tx: Tx,
  key: Pick<ResearchKey, 'userId' | 'replyId'>,
  version: number,
): Promise<ResearchRow & { plan: ResearchPlan }> {
  const [row] = await tx.select().from(researchRuns).where(rowOf(key)).for('update');
  if (!row) return refuse({ type: 'not_found', what: 'message' });
  const { plan } = row;
  if (row.state !== 'waiting' || !plan) return refuse({ type: 'conflict', text: 'This research has begun' });
  if (row.version !== version) return refuse({ type: 'conflict', text: CHANGED });
  return { ...row, plan };
}

/** Keeps a plan that was made; false where another process makes it. */
export async function keepPlan(db: Db, key: ResearchKey, plan: ResearchPlan, budget: number): Promise<boolean> {
  return writeOwned(db, key, async (tx) => {
    await tx
      .update(researchRuns)
      .set({ plan, budget, state: 'waiting', updatedAt: sql`now()` })
      .where(rowOf(key));
  });
}

/** Sets the state; that of a research which is told to write is kept. */
export async function setState(db: Db, key: ResearchKey, state: 'writing' | 'ended'): Promise<void> {
  await db.query
    .update(researchRuns)
    .set({ state, updatedAt: sql`now()` })
    .where(and(rowOf(key), eq(researchRuns.generationId, key.generationId)));
}

/** Ends what its run has left, unless it waits for its person. */
export async function endResearch({ query }: Db, key: Pick<ResearchKey, 'userId' | 'replyId' | 'generationId'>) {
  await query
    .update(researchRuns)
    .set({ state: 'ended', updatedAt: sql`now()` })
    .where(
      and(
        rowOf(key),
        eq(researchRuns.generationId, key.generationId),
        inArray(researchRuns.state, ['planning', 'working', 'writing']),
      ),
    );
}

/** What a step, or the question for more steps, has come to. */
export interface Ended {
  /** Null where no step has ended. */
  step: { id: string; state: StepState; notes: string; sourceIds: number[] } | null;
  /** Steps to be added. */
  added?: ResearchPlan['steps'];
  sources: readonly Source[];
  used: Usage | null;
  items: readonly Item[];
}

export interface Charged {
  convoId: string;
  model: string;
}

/**
 * Writes what a step has found together with its charge. Returns the row; null where another process has taken the run
 * over, or has ended this step before: then nothing is written, and nothing is paid.
 */
export async function commitStep(
  db: Db,
  key: ResearchKey,
  { convoId, model }: Charged,
  { step, added = [], sources, used, items }: Ended,
): Promise<ResearchRow | null> {
  let after: ResearchRow | null = null;
  const credits = items.reduce((sum, item) => sum + item.credits, 0);
  await writeOwned(db, key, async (tx, reservation) => {
    const [row] = await tx.select().from(researchRuns).where(rowOf(key)).for('update');
    if (!row?.plan || (step && row.plan.steps.find(({ id }) => id === step.id)?.state !== 'open')) return;
    if (step && step.notes !== '')
      await tx.insert(researchNotes).values({
        userId: key.userId,
        replyId: key.replyId,
        stepId: step.id,
        text: step.notes,
        sourceIds: step.sourceIds,
      });
    const steps = row.plan.steps.map((one) => (one.id === step?.id ? { ...one, state: step.state } : one));
    const known = new Set(row.sources.map(({ n }) => n));
    const [written] = await tx
      .update(researchRuns)
      .set({
        plan: { ...row.plan, steps: [...steps, ...added], ...(step === null && { hasAskedMore: true }) },
        sources: [...row.sources, ...sources.filter(({ n }) => !known.has(n))],
        spent: row.spent + credits,
        usage: used ? addUsage(row.usage, used) : row.usage,
        updatedAt: sql`now()`,
      })
      .where(rowOf(key))
      .returning();
    if (reservation !== null && items.length > 0) {
      const released = Math.min(reservation, credits);
      const bill = { userId: key.userId, convoId, generationId: key.generationId, model, context: 'message' as const };
      await pay(tx, { ...bill, isEstimated: used?.estimated === true, items }, released);
      await tx
        .update(generations)
        .set({ reservation: reservation - released })
        .where(eq(generations.id, key.generationId));
    }
    after = written ?? null;
  });
  return after;
}

/** Does the work in a transaction that holds the run; false, with nothing done, where it is another process's. */
async function writeOwned(
  { query }: Db,
  { userId, generationId, owner, epoch }: ResearchKey,
  work: (tx: Tx, reservation: number | null) => Promise<void>,
): Promise<boolean> {
  return query.transaction(async (tx) => {
    const [run] = await tx
      .select({ reservation: generations.reservation })
      .from(generations)
      .where(
        and(
          eq(generations.id, generationId),
          eq(generations.userId, userId),
          eq(generations.owner, owner),
          eq(generations.epoch, epoch),
          isNull(generations.endedAt),
        ),
      )
      .for('no key update');
    if (!run) return false;
    await work(tx, run.reservation);
    return true;
  });
}

/** The topic that tells a run to write what there is. */
export const WRITE_NOW = 'research:';

/** Lets no further step begin; false where no run works at it. */
export async function requestReport({ query }: Db, key: Pick<ResearchKey, 'userId' | 'replyId'>): Promise<boolean> {
  return query.transaction(async (tx) => {
    const [row] = await tx
      .update(researchRuns)
      .set({ state: 'writing', updatedAt: sql`now()` })
      .where(and(rowOf(key), inArray(researchRuns.state, ['working', 'writing'])))
      .returning({ generationId: researchRuns.generationId });
    if (row) notifyAtCommit(tx, `${WRITE_NOW}${row.generationId}`);
    return row !== undefined;
  });
}
