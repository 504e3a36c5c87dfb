// Two processes that are killed while they ask: each slot is one question.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { open } from '@parley/db/client';
import { build } from '@parley/scripts/build';
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { startServer } from '@parley/scripts/server-process';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { createFolder } from '../../support/folders.ts';
import { signUp } from '../../support/rest/client.ts';
import { processEnvironment } from '../../support/server.ts';

const SCHEDULES = 300;
const KILLS = 6;

let provider: FakeProvider;

beforeAll(async () => {
  await build();
  provider = await startFakeProvider();
}, 300_000);
afterAll(() => provider.close());

test('many slots are asked once each by two processes that are killed again and again', async () => {
  const env = await processEnvironment(provider, { PROCESSES: '2' });
  const database = env.DATABASE_URL?.slice('postgres:///'.length) ?? '';
  const sql = open({ ...inject('database'), database }, { max: 1 });
  onTestFinished(() => sql.end());
  const server = await startServer(createFolder(), env);
  onTestFinished(async () => void (await server.end('SIGTERM')));
  await signUp(server.url, 'alice');
  const target = { endpoint: 'openAI', model: 'gpt-4', settings: {} };
  await sql`
    insert into schedules (user_id, id, title, text, target, cron, time_zone, next_at, change_seq)
    select users.id, gen_random_uuid(), 'Daily', 'What is new?', ${sql.json(target)}, '0 7 * * *', 'UTC',
      now() - interval '1 minute', 0
    from users, generate_series(1, ${SCHEDULES})`;
  let kills = 0;
  const asked = async () => {
    // The lease of a dead process is a minute; here it is over at once, also for one that is alive and asks.
    await sql`update schedule_runs set at = at - interval '1 hour' where state = 'asked' and convo_id is null`;
    const [row] = await sql<{ count: number }[]>`select count(convo_id)::int from schedule_runs`;
    return row?.count ?? 0;
  };
  const seen: number[] = [];
  while (kills < KILLS) {
    const [worker] = workersOf(server.pid).toSorted(() => Math.random() - 0.5);
    const before = await asked();
    if (worker !== undefined && (kills < 2 || before > (seen.at(-1) ?? 0))) {
      process.kill(worker, 'SIGKILL');
      kills++;
      seen.push(before);
    }
    if (before === SCHEDULES) break;
    await sleep(20);
  }
  await expect.poll(asked, { timeout: 90_000 }).toBe(SCHEDULES);
  const [counts] = await sql`
    select count(*)::int as runs, count(distinct schedule_id)::int as schedules, count(distinct convo_id)::int as convos,
      (select count(*)::int from messages where is_created_by_user) as questions,
      (select count(*)::int from messages where not is_created_by_user) as replies
    from schedule_runs`;
  expect(counts).toEqual({
    runs: SCHEDULES,
    schedules: SCHEDULES,
    convos: SCHEDULES,
    questions: SCHEDULES,
    replies: SCHEDULES,
  });
  expect(kills).toBeGreaterThan(2);
}, 180_000);

/** The numbers of the processes that this one has started. */
function workersOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.split(' ').filter(Boolean).map(Number);
}
