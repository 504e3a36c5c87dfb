// The questions of many schedules that are due in one minute, asked by two processes.
import { open } from '@parley/db/client';
import { build } from '@parley/scripts/build';
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { startServer } from '@parley/scripts/server-process';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { createFolder } from '../../support/folders.ts';
import { signUp } from '../../support/rest/client.ts';
import { processEnvironment } from '../../support/server.ts';

const PEOPLE = 200;
/** As many as a person may have. */
const SCHEDULES_EACH = 50;
const SCHEDULES = PEOPLE * SCHEDULES_EACH;

let provider: FakeProvider;

beforeAll(async () => {
  await build();
  provider = await startFakeProvider();
}, 300_000);
afterAll(() => provider.close());

test('10,000 schedules that are due at once are all asked by two processes, and it says how long that took', async () => {
  const env = await processEnvironment(provider, { PROCESSES: '2' });
  const database = env.DATABASE_URL?.slice('postgres:///'.length) ?? '';
  const sql = open({ ...inject('database'), database }, { max: 1 });
  onTestFinished(() => sql.end());
  const server = await startServer(createFolder(), env);
  onTestFinished(async () => void (await server.end('SIGTERM')));
  await signUp(server.url, 'alice');
  const target = { endpoint: 'openAI', model: 'gpt-4', settings: {} };
  await sql`
    insert into users (id, email, name, username, password_hash)
    select gen_random_uuid(), 'person' || n || '@example.com', 'Person ' || n, 'person' || n, alice.password_hash
    from users alice, generate_series(2, ${PEOPLE}) n`;
  const [{ due } = { due: '' }] = await sql<{ due: string }[]>`select (now() + interval '15 seconds')::text as due`;
  await sql`
    insert into schedules (user_id, id, title, text, target, cron, time_zone, next_at, change_seq)
    select users.id, gen_random_uuid(), 'Daily', 'What is new?', ${sql.json(target)}, '0 7 * * *', 'UTC', ${due}, 0
    from users, generate_series(1, ${SCHEDULES_EACH})`;
  await sql`select pg_notify('parley', 'schedules')`;
  const read = async () => {
    const [row] = await sql<{ asked: number; seconds: number }[]>`
      select count(convo_id)::int as asked, extract(epoch from now() - ${due}::timestamptz)::float as seconds
      from schedule_runs`;
    return row ?? { asked: 0, seconds: 0 };
  };
  let latest = await read();
  let told = 0;
  await expect
    .poll(
      async () => {
        latest = await read();
        if (latest.seconds - told > 5) console.info(`${Math.round((told = latest.seconds))} s: ${latest.asked}`);
        return latest.asked;
      },
      { timeout: 240_000, interval: 500 },
    )
    .toBe(SCHEDULES);
  console.info(`All ${SCHEDULES} asked after ${latest.seconds.toFixed(1)} s`);
}, 400_000);
