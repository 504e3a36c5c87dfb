// (o) What grows: the buffers that PostgreSQL touches for each statement of an exchange, for recovery, sweeps and usage,
// with few exchanges in the database and with many. GROWN in the environment sets how many: 10,000,000 take about 20 GB.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Db } from '@parley/db/client';
import { startEmbedded } from '@parley/db/embedded';
import { createDevice, registerAccount, type Device } from '../../api-client.ts';
import { startFakeProvider } from '../../fake-provider.ts';
import { startServer } from '../../server-process.ts';
import { atMost, ms, printFigures, type Figure } from '../figures.ts';
import { fillExchanges } from './fill.ts';
import { listWork, OF_PEOPLE } from './work.ts';

export { benchLog } from './log.ts';

const SIZES = [10_000, Number(process.env.GROWN ?? 1_000_000)] as const;
const EXCHANGES = 10;
const ROUNDS = 3;
/** An index of a thousand times the rows is one or two pages deeper, and an exchange looks into two dozen. */
const FACTOR_MAX = 1.5;
const BUFFERS_FREE = 30;

/** Of one exchange or one piece of work. */
interface Cost {
  buffers: number;
  ms: number;
}

type Costs = Map<string, Cost>;

/** Prints the table and returns how many targets were missed. */
export async function benchGrowth(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-growth-'));
  const provider = await startFakeProvider();
  const { connection, stop } = await startEmbedded(folder, {
    shared_preload_libraries: 'pg_stat_statements',
    'pg_stat_statements.track_planning': 'on',
    max_wal_size: '4GB',
    // Rows of many come in no order: their indexes have to fit while they are written.
    shared_buffers: '1GB',
  });
  const db = connect(connection);
  const env = {
    DATA_DIR: folder,
    PORT: '0',
    OPENAI_API_KEY: 'fake',
    OPENAI_REVERSE_PROXY: `${provider.url}/v1`,
    OPENAI_MODELS: 'gpt-4',
    TITLE_CONVO: 'false',
  };
  const server = await startServer(folder, env);
  try {
    await db.sql`create extension pg_stat_statements`;
    const device = createDevice(server.url, await registerAccount(server.url, 'asker'));
    const measured: Costs[] = [];
    for (const [n, size] of SIZES.entries()) {
      await fillExchanges(db, SIZES[n - 1] ?? 0, size);
      measured.push(await measure(db, device));
      const [disk = { text: '' }] = await db.sql<{ text: string }[]>`
        select pg_size_pretty(pg_database_size(current_database())) as text`;
      console.log(`  measured with ${size} exchanges, ${disk.text}`);
    }
    await device.close();
    const [few = new Map(), many = new Map()] = measured;
    return printFigures(`(o) growth: buffers touched with ${SIZES.join(' and ')} exchanges`, figuresOf(few, many));
  } finally {
    await server.end('SIGTERM');
    await db.end();
    await stop();
    await provider.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(db: Db, device: Device): Promise<Costs> {
  const costs: Costs = new Map();
  // The first ones make plans and read what is on disk.
  for (let n = 0; n < EXCHANGES; n++) await exchange(db, device);
  await reset(db);
  for (let n = 0; n < EXCHANGES; n++) await exchange(db, device);
  for (const { name, calls, ...cost } of await readStatements(db))
    if (calls >= EXCHANGES / 2) costs.set(name, { buffers: cost.buffers / EXCHANGES, ms: cost.ms / EXCHANGES });
  const sum = [...costs.values()].reduce((all, one) => ({ buffers: all.buffers + one.buffers, ms: all.ms + one.ms }));
  costs.set('an exchange, all statements', sum);
  const [asker] = await db.sql<{ id: string }[]>`select id from users where email like 'asker@%'`;
  for (const [name, work] of listWork(db, asker?.id ?? '')) {
    for (let n = 0; n < ROUNDS; n++) await work();
    await reset(db);
    for (let n = 0; n < ROUNDS; n++) await work();
    const statements = await readStatements(db);
    const total = (of: 'buffers' | 'ms') => statements.reduce((all, one) => all + one[of], 0) / ROUNDS;
    costs.set(name, { buffers: total('buffers'), ms: total('ms') });
  }
  return costs;
}

async function exchange({ sql }: Db, { api }: Device): Promise<void> {
  const generationId = randomUUID();
  await api.messages.ask.mutate({
    generationId,
    replyId: randomUUID(),
    conversationId: randomUUID(),
    endpoint: 'openAI',
    model: 'gpt-4',
    target: { kind: 'send', messageId: randomUUID(), parentMessageId: null, text: 'How far is it? [[tokens:20@10]]' },
  });
  const isOver = () => sql`
    select from generations where id = ${generationId} and ended_at is not null and not is_unindexed`;
  while ((await isOver()).length === 0) await sleep(50);
}

async function reset({ sql }: Db): Promise<void> {
  await sql`select pg_stat_statements_reset()`;
}

/** The statements since the reset, but for those of the bench itself. */
async function readStatements({ sql }: Db): Promise<(Cost & { name: string; calls: number })[]> {
  return sql<(Cost & { name: string; calls: number })[]>`
    select left(regexp_replace(query, '\\s+', ' ', 'g'), 60) as name, sum(calls)::int as calls,
      sum(shared_blks_hit + shared_blks_read)::float as buffers, sum(total_exec_time)::float as ms
    from pg_stat_statements
    where query !~ 'pg_stat_statements|not is_unindexed' and query ~* '^\\s*(select|with|insert|update|delete)'
    group by 1`;
}

function figuresOf(few: Costs, many: Costs): Figure[] {
  return [...many].map(([name, cost]) => {
    const before = few.get(name) ?? { buffers: 0, ms: 0 };
    const limit = Math.round(before.buffers * FACTOR_MAX + BUFFERS_FREE);
    return {
      name,
      cells: {
        'buffers, few': before.buffers.toFixed(0),
        many: cost.buffers.toFixed(0),
        'time, few': ms(before.ms),
        'time, many': ms(cost.ms),
      },
      ...(!OF_PEOPLE.includes(name) && { target: atMost(Math.round(cost.buffers), limit, '') }),
    };
  });
}
