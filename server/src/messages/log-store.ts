import type { Db } from '@parley/db/client';
import type { LogStore, Standing } from '../generation/log.ts';

/** How long a run is its process's own without a sign of life, in seconds; after that anyone may settle it. */
export const LEASE_SECONDS = 8;
/** Renewed when this little of it is left, so that one write in thirty touches the generation row. */
const RENEW_BELOW_SECONDS = 5;

/**
 * The generation log in PostgreSQL: one statement for all generations of this process. Rows may be there already, from
 * a write whose answer was lost. Owner and epoch decide, not the lease: one that ended during an outage is renewed as
 * long as nobody has taken the run over, and nothing that was heard meanwhile is lost.
 */
export function createLogStore({ sql }: Db, owner: string): LogStore {
  return { write };

  async function write(batches: Parameters<LogStore['write']>[0]): Promise<Map<string, Standing>> {
    const rows = batches.flatMap(({ generationId, entries }) => entries.map((entry) => ({ generationId, ...entry })));
    const ours = await sql<{ id: string; stop_requested: boolean }[]>`
      with ours as (
        select g.id, g.stop_requested
        from generations g
        join unnest(${batches.map((batch) => batch.generationId)}::uuid[], ${batches.map((batch) => batch.epoch)}::int[])
          as asked (id, epoch) on asked.id = g.id and asked.epoch = g.epoch
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
    const standings = new Map<string, Standing>(batches.map((batch) => [batch.generationId, 'lost']));
    for (const row of ours) standings.set(row.id, row.stop_requested ? 'stop' : 'ours');
    return standings;
  }
}
