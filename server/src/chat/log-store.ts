import type { Db } from '@parley/db/client';
import type { LogStore, Ownership } from '../generation/log-store.ts';
import type { Metrics } from '../platform/metrics.ts';

/** Sets the length of a run's lease in seconds. Without a renewal, any process may take the run over after that. */
export const LEASE_SECONDS = 8;
/** The lease is renewed when this little of it is left, so that only one write in thirty updates the generation row. */
const RENEW_BELOW_SECONDS = 5;

/**
 * The generation log in PostgreSQL: one statement for all generations of this process. Rows may exist already, from a
 * write whose response was lost. Owner and epoch decide, not the lease: a lease that expired during an outage is
 * renewed as long as no other process has taken the run over, and nothing received meanwhile is lost.
 */
export function createLogStore({ sql }: Db, owner: string, metrics: Pick<Metrics, 'flushed'> | null = null): LogStore {
  /** The last write has failed, or has not ended: there may have been a database outage. */
  let mayHaveBeenAway = false;
  return { write };

  async function write(batches: Parameters<LogStore['write']>[0]): Promise<Map<string, Ownership>> {
    const ids = batches.map(({ generationId }) => generationId);
    const asked = sql`unnest(${ids}::uuid[], ${batches.map(({ epoch }) => epoch)}::int[]) as asked (id, epoch)`;
    const rows = batches.flatMap(({ generationId, entries }) => entries.map((entry) => ({ generationId, ...entry })));
    // After an outage there may be a lot to write while the leases stay expired: renew them first.
    if (mayHaveBeenAway)
      await sql`
        update generations g set lease_until = now() + make_interval(secs => ${LEASE_SECONDS}) from ${asked}
        where g.id = asked.id and g.epoch = asked.epoch and g.owner = ${owner} and g.ended_at is null`;
    mayHaveBeenAway = true;
    const ours = await sql<{ id: string; stop_requested: boolean }[]>`
      with ours as (
        select g.id, g.stop_requested
        from generations g join ${asked} on asked.id = g.id and asked.epoch = g.epoch
        where g.owner = ${owner} and g.ended_at is null
      ), written as (
        insert into generation_events (generation_id, seq, event)
        select row.id, row.seq, row.event::jsonb
        from unnest(
          ${rows.map((row) => row.generationId)}::uuid[],
          ${rows.map((row) => row.seq)}::int[],
          ${rows.map((row) => JSON.stringify(row.event))}::text[]
        ) as row (id, seq, event)
        join ours on ours.id = row.id
        on conflict do nothing
      ), renewed as (
        update generations set lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
        where id in (select id from ours) and lease_until < now() + make_interval(secs => ${RENEW_BELOW_SECONDS})
      )
      select id, stop_requested from ours`;
    mayHaveBeenAway = false;
    if (metrics)
      for (const { since } of batches) if (since !== undefined) metrics.flushed((performance.now() - since) / 1000);
    const standings = new Map<string, Ownership>(ids.map((id) => [id, 'lost']));
    for (const row of ours) standings.set(row.id, row.stop_requested ? 'stop' : 'ours');
    return standings;
  }
}
