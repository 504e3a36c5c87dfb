// (l) What administrators look at: the usage of a thousand people over a year, and people among a million. Each is
// compared with a bare statement in the same run. PEOPLE in the environment makes it smaller.
import { connect, type Db } from '@parley/db/client';
import { startEmbedded } from '@parley/db/embedded';
import { USAGE_GROUPS } from '@parley/schema/accounts/budget-rules';
import { listPeople } from '@parley/server/admin/people/list-people';
import { serverUsage } from '@parley/server/admin/usage/server-usage';
import { atMost, type Figure, median, ms, nearlyAll, printFigures, timed } from './figures.ts';
import { openParley } from './parley-server.ts';

const PEOPLE = Number(process.env.PEOPLE ?? 1_000_000);
/** Those who ask, each by two models on each day of a year. */
const ASKING = 1_000;
const NOW = new Date('2026-11-27T12:00:00Z');
const ROUNDS = 20;
/** Of one, of a hundredth, of all, of two words, and of nobody. */
const QUERIES = ['person77777', 'group7', 'person', 'example group42', 'nobody here'];

/** Prints the table and returns how many targets were missed. */
export async function benchAdministration(): Promise<number> {
  // Unused: no question is asked.
  const parley = await openParley('http://127.0.0.1:9');
  const { connection, stop } = await startEmbedded(parley.folder);
  const db = connect(connection);
  try {
    await fill(db);
    return printFigures(`(l) ${PEOPLE} people, of whom ${ASKING} ask each day of a year`, [
      ...(await measureUsage(db)),
      ...(await measurePeople(db)),
    ]);
  } finally {
    await db.end();
    await stop();
    await parley.close();
  }
}

async function fill({ sql }: Db): Promise<void> {
  const began = performance.now();
  await sql`
    insert into users (email, name)
    select 'person' || n || '@example.com', 'Person' || n || ' Group' || n % 100 from generate_series(1, ${PEOPLE}::int) n`;
  await sql`
    insert into usage_days (user_id, day, endpoint, model, kind, asks, input, output, credits, estimated)
    select u.id, day::date, 'openAI', model, 'chat', 9, 9000, 900, 12345, 0
    from (select id from users limit ${ASKING}) u,
      generate_series('2025-12-01'::date, '2026-11-30'::date, '1 day') day, unnest(array['gpt-4', 'gpt-5']) model`;
  await sql`
    insert into usage_totals (day, endpoint, model, kind, asks, input, output, credits, estimated)
    select day, endpoint, model, kind, sum(asks), sum(input), sum(output), sum(credits), 0
    from usage_days group by day, endpoint, model, kind`;
  await sql`vacuum analyze users, usage_days, usage_totals`;
  console.log(`  written in ${((performance.now() - began) / 1000).toFixed(0)} s`);
}

async function measureUsage(db: Db): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const by of USAGE_GROUPS) {
    const [bare, whole] = await inTurns(
      () => db.sql`select sum(credits) from usage_days where day between '2026-11-01' and '2026-11-30'`,
      () => serverUsage(db, { by }, NOW),
    );
    figures.push(figureOf(`a month by ${by}`, bare, whole, 300));
  }
  return figures;
}

async function measurePeople(db: Db): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const query of QUERIES) {
    const [bare, whole] = await inTurns(
      () => db.sql`select * from users order by lower(email) limit 51`,
      () => listPeople(db, { query }, false),
    );
    figures.push(figureOf(`people by "${query}"`, bare, whole, 50));
  }
  return figures;
}

/** Milliseconds of each, taken in turns; the first round warms both up. */
async function inTurns(bare: () => Promise<unknown>, whole: () => Promise<unknown>): Promise<[number[], number[]]> {
  const [first, second]: [number[], number[]] = [[], []];
  for (let round = 0; round <= ROUNDS; round++) {
    const took = [await timed(bare), await timed(whole)] as const;
    if (round === 0) continue;
    first.push(took[0]);
    second.push(took[1]);
  }
  return [first, second];
}

function figureOf(name: string, bare: number[], whole: number[], limit: number): Figure {
  const ratio = (median(whole) / median(bare)).toFixed(2);
  return {
    name: `${name}, p95 of ${whole.length}`,
    cells: { bare: ms(nearlyAll(bare)), parley: ms(nearlyAll(whole)), ratio },
    target: atMost(nearlyAll(whole), limit, ' ms'),
  };
}
