// Recovers the runs of dead processes. An expired lease is the only sign of death: the process that sees it first takes
// the run over, folds its log and saves the reply.
import type { Db } from '@parley/db/client';
import { generations } from '@parley/db/tables/generations';
import { addUsage, type Usage } from '@parley/schema/catalog/usage';
import type { Message } from '@parley/schema/messages/messages';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { settleCalls } from '../agents/settle-calls.ts';
import { reserve } from '../billing/balances.ts';
import { withOneSourceList, withGeneratedFiles } from './answer/ended-parts.ts';
import { readShownPassages } from './context/files/shown-passages.ts';
import { finalizeRun, type FinalizeOptions, type GoOn, type RunKey } from './finalize.ts';
import { LEASE_SECONDS } from './log-store.ts';
import { presentMessage } from '../messages/present.ts';
import { foldAll, readEntries } from '../messages/stored-log.ts';
import { findMessage } from '../messages/thread.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { TakeoverGuard } from './takeover-guard.ts';
import { withCitations } from '../retrieval/cite.ts';
import { NOTHING, recoveredUsage } from '../billing/usage.ts';

const BATCH_RUNS = 50;
/** Each time a taken-over run cannot be ended, its lease doubles, up to this. */
const LEASE_MAX_SECONDS = 120;

export interface RecoveryObserver {
  log?: Logger;
  metrics?: Pick<Metrics, 'generationEnded' | 'tokensUsed'> | null;
  onNotable?: FinalizeOptions['onNotable'];
  /** Goes on with a research instead of ending it. */
  goOn?: GoOn;
}

interface RecoveryOptions extends RecoveryObserver {
  /** Once aborted, no further run is settled; the leases of those that were claimed go with `releaseRuns`. */
  ending?: AbortSignal | undefined;
  /**
   * Says whether this process begins or runs it. It is asked when the database has answered which leases have expired,
   * and holds from the moment before a run is written until its end is.
   */
  isHeld?: (generationId: string) => boolean;
  /** Holds the runs that this process has claimed and settles right now. */
  settling?: Set<string>;
}

/** Recovers runs as `recoverExpiredRuns` does; while the guard forbids it, only runs that their owners released. */
export async function recoverGuarded(
  db: Db,
  guard: TakeoverGuard,
  owner: string,
  options: RecoveryOptions = {},
): Promise<number> {
  return recoverExpiredRuns(db, owner, { ...options, ...guard });
}

/**
 * Creates one process's recovery. Several calls may be under way at once; they share the runs and settle none twice.
 */
export function createSettle(db: Db, guard: TakeoverGuard, owner: string, options: RecoveryOptions) {
  const settling = new Set<string>();
  return (ending?: AbortSignal): Promise<number> => recoverGuarded(db, guard, owner, { ...options, settling, ending });
}

/** Releases the unfinished runs of this process at shutdown, so that recovery need not wait for their leases. */
export async function releaseRuns({ sql: plain }: Db, owner: string): Promise<void> {
  await plain`update generations set lease_until = '-infinity' where owner = ${owner} and ended_at is null`;
}

/**
 * Recovers every run whose lease has expired and returns how many there were. Safe to call from many processes at once.
 * A run that cannot be ended does not block the others: its error is thrown after all of them. The runs that this process
 * holds go on even if their leases expired during an outage, or while it was too busy to renew them.
 */
export async function recoverExpiredRuns(
  db: Db,
  owner: string,
  {
    mayTakeOver = async () => true,
    watch = (question) => question(),
    ending,
    isHeld = () => false,
    settling = new Set(),
    ...observer
  }: RecoveryOptions & Partial<TakeoverGuard> = {},
): Promise<number> {
  let settled = 0;
  const faults: unknown[] = [];
  const expired = await watch(() => listExpired(db));
  // Asked after the list is read: the guard then vouches for the time in which these leases expired.
  const isFree = (await mayTakeOver()) ? () => true : ({ isReleased }: Expired) => isReleased;
  const free = expired.filter(isFree);
  while (free.length > 0) {
    const some = free.splice(0, BATCH_RUNS).filter(({ id }) => !isHeld(id) && !settling.has(id));
    for (const { id } of some) settling.add(id);
    try {
      for (const orphan of await claim(db, owner, some)) {
        if (ending?.aborted) return settled;
        await settle(db, owner, orphan, observer).catch((error: unknown) => faults.push(error));
        settled++;
      }
    } finally {
      for (const { id } of some) settling.delete(id);
    }
  }
  if (faults.length > 0) throw faults[0];
  return settled;
}

/** Describes a run as it stood when its lease was found to have expired. */
interface Expired {
  id: string;
  owner: string;
  epoch: number;
  isReleased: boolean;
}

async function listExpired({ sql: plain }: Db): Promise<Expired[]> {
  return plain<Expired[]>`
    select id, owner, epoch, lease_until = '-infinity' as "isReleased" from generations
    where ended_at is null and lease_until < now() order by lease_until`;
}

interface ClaimedRun {
  id: string;
  user_id: string;
  /** Null for a call of a program. */
  reply_id: string | null;
  epoch: number;
  model: string | null;
  is_reserved: boolean;
  /** What a research has used so far; null for any other run. */
  research: { usage: Usage | null } | null;
  /** What it was expected to use, where something is reserved for it. */
  usage: Usage | null;
}

/** Takes over the runs that are still as they were seen, however long this statement has waited. */
async function claim({ sql: plain }: Db, owner: string, expired: readonly Expired[]): Promise<ClaimedRun[]> {
  if (expired.length === 0) return [];
  const [ids, owners, epochs] = [
    expired.map(({ id }) => id),
    expired.map((run) => run.owner),
    expired.map(({ epoch }) => epoch),
  ];
  return plain<ClaimedRun[]>`
    update generations
    set owner = ${owner}, epoch = epoch + 1,
      lease_until = now() + make_interval(secs => least(${LEASE_SECONDS} * power(2, least(epoch, 10) - 1), ${LEASE_MAX_SECONDS}))
    where id in (
      select g.id from generations g
      join unnest(${ids}::uuid[], ${owners}::uuid[], ${epochs}::int[]) as seen (id, owner, epoch)
        on seen.id = g.id and seen.owner = g.owner and seen.epoch = g.epoch
      where g.ended_at is null and g.lease_until < now()
      order by g.lease_until for update of g skip locked
    )
    returning id, user_id, reply_id, epoch, model, coalesce(reservation, budgeted, credits) is not null as is_reserved, usage,
      (select jsonb_build_object('usage', r.usage) from research_runs r
        where r.user_id = generations.user_id and r.reply_id = generations.reply_id
          and r.generation_id = generations.id) as research`;
}

/** Ends a run, or goes on with a research. */
async function settle(db: Db, owner: string, orphan: ClaimedRun, observer: RecoveryObserver): Promise<void> {
  const { id: generationId, user_id: userId, reply_id: replyId, epoch, research } = orphan;
  const isResearch = research && replyId !== null;
  if (isResearch && (await observer.goOn?.({ userId, generationId, replyId, owner, epoch }))) return;
  await endRun(db, owner, orphan, observer);
}

async function endRun(
  db: Db,
  owner: string,
  orphan: ClaimedRun,
  { log, metrics = null, onNotable }: RecoveryObserver,
): Promise<void> {
  const { id: generationId, user_id: userId, epoch } = orphan;
  const row = orphan.reply_id === null ? undefined : await findMessage(db.query, userId, orphan.reply_id);
  if (!row) {
    await endWithoutReply(db, { generationId, owner, epoch });
    return;
  }
  const entries = await readEntries(db, generationId, 0);
  const before = presentMessage(row);
  const reply = interrupted(foldAll(before, entries));
  const passages = await readShownPassages(db.query, userId, before.context);
  const parts = withCitations(withOneSourceList(withGeneratedFiles(reply.parts), passages), passages);
  const paid = orphan.research?.usage;
  const used = paid ?? recoveredUsage(before, reply, orphan.is_reserved ? orphan.usage : null);
  const ended = { ...reply, parts, usage: addUsage(before.usage, used) };
  const final = await finalizeRun(db, { generationId, userId, owner, epoch }, ended, used, {
    metrics,
    onNotable,
    // The steps of a research have paid.
    ...(paid && { unpaid: NOTHING }),
    run: {
      endpointType: before.endpointType,
      model: orphan.model,
      expected: orphan.is_reserved ? orphan.usage : null,
    },
  });
  if (!final) return;
  metrics?.generationEnded('recovered');
  log?.info(
    { event: 'generation.recovered', generationId, userId },
    'A generation of a process that ended was saved from its log',
  );
}

/** Ends a program's call, or a run whose conversation was purged meanwhile: there is nothing to save or to charge. */
async function endWithoutReply(
  { query }: Db,
  { generationId, owner, epoch }: Pick<RunKey, 'generationId' | 'owner' | 'epoch'>,
): Promise<void> {
  const isOurs = and(eq(generations.owner, owner), eq(generations.epoch, epoch), isNull(generations.endedAt));
  await query.transaction(async (tx) => {
    const [ended] = await tx
      .update(generations)
      .set({ endedAt: sql`now()`, usage: null, credits: 0 })
      .where(and(eq(generations.id, generationId), isOurs))
      .returning();
    if (ended?.reservation) await reserve(tx, ended.userId, -ended.reservation);
  });
}

function interrupted(reply: Message): Message {
  const parts = settleCalls(reply.parts, 'lost');
  return { ...reply, parts, unfinished: true, finishReason: 'incomplete', reason: { type: 'interrupted' } };
}

/** Deletes old stop marks without an ask, and log rows whose generation has ended or is gone. */
export async function sweepGenerations({ sql: plain }: Db): Promise<void> {
  await plain`delete from early_stops where created_at < now() - interval '1 hour'`;
  await plain`
    delete from generation_events e where not exists (
      select from generations g
      where g.id = e.generation_id and (g.ended_at is null or g.ended_at > now() - interval '1 minute')
    )`;
}
