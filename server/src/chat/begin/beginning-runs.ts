// The runs that this process is writing to the database, until it has heard that they are written and has started them:
// they are its own however long that takes. Their leases are renewed meanwhile, so that no other process takes them over.
import type { Db, Tx } from '@parley/db/client';
import { sql, and, eq } from 'drizzle-orm';
import { LEASE_SECONDS } from '../log-store.ts';
import { earlyStops, type generations } from '@parley/db/tables/generations';
import type { PgInsertValue } from 'drizzle-orm/pg-core';
import type { Reservation } from '../../billing/reservation.ts';
import { expectedUsage } from '../../billing/usage.ts';
import { isAmong } from '../../convos/rows.ts';
import type { Ask } from './ask.ts';

export interface BeginningRuns {
  /** Holds these runs while `begin` writes and starts them. The same run may be held more than once: asks are repeated. */
  hold<T>(generationIds: readonly string[], begin: () => Promise<T>): Promise<T>;
  has(generationId: string): boolean;
}

/**
 * Sets the end of a run's first lease. Not from `now()`: that is when its transaction began, which may have waited for
 * a lock.
 */
export const NEW_LEASE = sql`clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})`;

/** A run that takes this long to begin has its lease renewed this often, in milliseconds. Nearly all begin sooner. */
const RENEW_EVERY_MS = 2000;

export function createBeginningRuns(
  { sql: plain }: Pick<Db, 'sql'>,
  owner: string,
  onFault: (error: unknown) => void,
): BeginningRuns {
  const held = new Set<{ generationIds: readonly string[]; since: number }>();
  let timer: NodeJS.Timeout | null = null;
  return { hold, has };

  async function hold<T>(generationIds: readonly string[], begin: () => Promise<T>): Promise<T> {
    const one = { generationIds, since: performance.now() };
    held.add(one);
    timer ??= setInterval(() => void renew().catch(onFault), RENEW_EVERY_MS).unref();
    try {
      return await begin();
    } finally {
      held.delete(one);
      if (held.size === 0) {
        clearInterval(timer);
        timer = null;
      }
    }
  }

  function has(generationId: string): boolean {
    for (const { generationIds } of held) if (generationIds.includes(generationId)) return true;
    return false;
  }

  /** A run that is not committed yet is not found, and needs no renewal. */
  async function renew(): Promise<void> {
    const old = performance.now() - RENEW_EVERY_MS;
    const ids = [...held].flatMap(({ generationIds, since }) => (since <= old ? generationIds : []));
    if (ids.length === 0) return;
    await plain`
      update generations set lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
      where id = any(${ids}::uuid[]) and owner = ${owner} and epoch = 1 and ended_at is null`;
  }
}

// The row of a run that begins.
interface Begun {
  stopRequested: boolean;
  reserved: Reservation | null;
  /** Groups the runs of a question to several models. */
  groupId?: string | undefined;
}

export function newGeneration(
  { userId, owner, input, endpoint, model, metadata, apiKeyId }: Ask,
  requestId: string,
  { stopRequested, reserved, groupId }: Begun,
): PgInsertValue<typeof generations> {
  return {
    id: input.generationId,
    userId,
    convoId: input.conversationId,
    requestId,
    replyId: input.replyId,
    kind: input.target.kind,
    endpoint: endpoint.name,
    model,
    owner,
    groupId,
    leaseUntil: NEW_LEASE,
    stopRequested,
    reservation: reserved?.isOfBalance ? reserved.credits : null,
    budgeted: reserved?.isOfBudget ? reserved.credits : null,
    apiKeyId,
    // Of a key's limit, until the end writes what it has cost.
    credits: reserved?.ofKey ? reserved.credits : null,
    // If this process dies, recovery has only this to charge by.
    usage: reserved && expectedUsage(metadata.rates, reserved),
  };
}

/** Which of these runs were to be stopped before they were asked for. */
export async function takeEarlyStops(tx: Tx, userId: string, generationIds: readonly string[]): Promise<string[]> {
  const early = await tx
    .delete(earlyStops)
    .where(and(eq(earlyStops.userId, userId), isAmong(earlyStops.generationId, generationIds)))
    .returning({ id: earlyStops.generationId });
  return early.map(({ id }) => id);
}
