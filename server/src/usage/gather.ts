// Adds up what has ended: rows of `generations` become counts of days. No ask and no end of an answer waits for it, and a
// row is counted exactly once, since it is marked in the transaction that counts it.
import type { Db, Tx } from '@parley/db/client';
import { usageDays, usageTotals } from '@parley/db/tables/balances';
import type { generations } from '@parley/db/tables/generations';
import { endpointTypeNamed } from '@parley/schema/catalog/endpoints';
import { costInCredits, isPriceKnown, ratesOfCall, type PricedCall } from '@parley/schema/catalog/rates';
import type { Usage } from '@parley/schema/catalog/usage';
import { sql } from 'drizzle-orm';
import { sumBy } from './figures.ts';

/** Rows of one transaction. */
const BATCH_ROWS = 1000;
/** Of one call; the rest is for the next one. */
const BATCHES_MAX = 20;

const NO_TOKENS: Usage = { input: 0, output: 0 };

type Counted = typeof usageDays.$inferInsert;

/** A row of `generations` that has ended. */
export interface EndedRow {
  user_id: string;
  day: string;
  endpoint: string;
  model: string | null;
  kind: (typeof generations.$inferSelect)['kind'] | 'api';
  usage: Usage | null;
  /** As text, as the driver has large integers. */
  credits: string | null;
  [column: string]: unknown;
}

/** Afterwards all is counted that had ended before, but for what another transaction is changing this moment. */
export async function gatherUsage({ query }: Pick<Db, 'query'>): Promise<void> {
  for (let batch = 0; batch < BATCHES_MAX; batch++) {
    const [waiting] = await query.execute<Record<'is', boolean>>(
      sql`select exists (select from generations where is_uncounted and ended_at is not null) as is`,
    );
    if (!waiting?.is) return;
    const rows = await query.transaction(countSome);
    if (rows < BATCH_ROWS) return;
  }
}

/**
 * Other gatherings come before or after. Rows that somebody has locked are for the next time: this transaction
 * waits for none, so it cannot be one of two that wait for each other.
 */
async function countSome(tx: Tx): Promise<number> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('usage', 0))`);
  const rows = await tx.execute<EndedRow>(sql`
    update generations set is_uncounted = false
    where id in (
      select g.id from generations g join users u on u.id = g.user_id
      where g.is_uncounted and g.ended_at is not null
      limit ${BATCH_ROWS} for no key update of g skip locked for key share of u skip locked
    )
    returning user_id, to_char(ended_at at time zone 'utc', 'YYYY-MM-DD') as day, endpoint, model, kind, usage, credits`);
  const days = addUp(rows);
  if (days.length === 0) return rows.length;
  await tx
    .insert(usageDays)
    .values(days)
    .onConflictDoUpdate({
      target: [usageDays.userId, usageDays.day, usageDays.endpoint, usageDays.model, usageDays.kind],
      set: sums(usageDays),
    });
  await tx
    .insert(usageTotals)
    .values(sumBy(days, ({ day, endpoint, model, kind }) => JSON.stringify([day, endpoint, model, kind])))
    .onConflictDoUpdate({
      target: [usageTotals.day, usageTotals.endpoint, usageTotals.model, usageTotals.kind],
      set: sums(usageTotals),
    });
  return rows.length;
}

/** By person, day, endpoint, model and kind. */
function addUp(rows: readonly EndedRow[]): Counted[] {
  const counted = rows.flatMap(({ usage, ...row }): Counted[] => {
    if (!usage) return [];
    const { user_id: userId, day, endpoint, model, kind, credits } = row;
    return [
      {
        userId,
        day,
        endpoint,
        model: model ?? '',
        kind: kindOf(kind),
        asks: 1,
        // Speech has no tokens: it is counted by seconds and characters, which add up to nothing.
        ...tokenFigures(kind === 'speech' ? NO_TOKENS : usage),
        credits: credits === null ? reckoned(endpoint, model, usage) : Number(credits),
        estimated: usage.estimated ? 1 : 0,
        unpriced: credits !== '0' && !isPriceKnown(pricedCall(endpoint, model, usage)) ? 1 : 0,
      },
    ];
  });
  return sumBy(counted, ({ userId, day, endpoint, model, kind }) =>
    JSON.stringify([userId, day, endpoint, model, kind]),
  );
}

function sums(table: typeof usageDays | typeof usageTotals) {
  return {
    asks: sql`${table.asks} + excluded.asks`,
    input: sql`${table.input} + excluded.input`,
    cachedRead: sql`${table.cachedRead} + excluded.cached_read`,
    cachedWrite: sql`${table.cachedWrite} + excluded.cached_write`,
    output: sql`${table.output} + excluded.output`,
    reasoning: sql`${table.reasoning} + excluded.reasoning`,
    credits: sql`${table.credits} + excluded.credits`,
    estimated: sql`${table.estimated} + excluded.estimated`,
    unpriced: sql`${table.unpriced} + excluded.unpriced`,
  };
}

function tokenFigures({ input, cachedRead = 0, cachedWrite = 0, output, reasoning = 0 }: Usage) {
  return { input, cachedRead, cachedWrite, output, reasoning };
}

function kindOf(kind: EndedRow['kind']): Counted['kind'] {
  switch (kind) {
    case 'title':
    case 'summary':
    case 'picture':
    case 'api':
    case 'speech':
      return kind;
    default:
      return 'chat';
  }
}

/** Of runs that ended before costs were kept with them. */
function reckoned(endpoint: string, model: string | null, usage: Usage): number {
  return costInCredits(usage, ratesOfCall(pricedCall(endpoint, model, usage)));
}

function pricedCall(endpoint: string, model: string | null, { rates }: Usage): PricedCall {
  return { endpointType: endpointTypeNamed(endpoint), model, rates };
}
