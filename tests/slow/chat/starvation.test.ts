// A server that gets too little of the machine: it sleeps again and again, now and then for longer than the lease of a
// run, while others take its CPU. It is alone on its database, so whatever ends as interrupted it has ended itself.
// `STARVATION_SEED` repeats a run, `STARVATION_ROUNDS` shortens it.
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from '@parley/scripts/build';
import { createRandom, type Random } from '@parley/scripts/chaos/random';
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { scenarioText } from '@parley/scripts/fake-provider/scenarios';
import { startServer } from '@parley/scripts/server-process';
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from 'vitest';
import { copyTemplate } from '../../support/database.ts';
import { createFolder } from '../../support/folders.ts';
import { finalOf, question, signUp, type Client } from '../../support/rest/client.ts';

const seed = process.env.STARVATION_SEED ?? String(Date.now() % 100_000);
const ROUNDS = Number(process.env.STARVATION_ROUNDS ?? 200);
/** Every so many rounds it sleeps for longer than a lease in all. */
const LONG_EVERY = 8;
const ASKS_PER_PERSON = 3;
const WORDS = '20@20';

let provider: FakeProvider;

beforeAll(async () => {
  await build();
  provider = await startFakeProvider();
}, 600_000);
afterAll(() => provider.close());

it(`loses no answer in ${ROUNDS} rounds of starvation, seed ${seed}`, async () => {
  const server = await startServer(createFolder(), await environment());
  onTestFinished(async () => {
    process.kill(server.pid, 'SIGCONT');
    await server.end('SIGKILL');
  });
  const people = await Promise.all(['alice', 'bob', 'carol'].map((name) => signUp(server.url, name)));
  const program = await keyOf(server.url, people[0]);
  takeCpu();
  for (let round = 1; round <= ROUNDS; round++) {
    const random = createRandom(`${seed}/${round}`);
    const text = `Round ${round} [[tokens:${WORDS}]]`;
    const asks = people.flatMap((person) => Array.from({ length: ASKS_PER_PERSON }, () => person));
    const answers = asks.map(async (person) => finalOf(await person.ask(question(text, { model: 'gpt-4' }))));
    const called = callOf(server.url, program, text);
    await starve(server.pid, random, round % LONG_EVERY === 0);
    for (const { responseMessage } of await Promise.all(answers)) {
      expect(responseMessage, `round ${round}`).toMatchObject({ unfinished: false, error: false });
      expect(responseMessage.text).toBe(scenarioText('tokens', WORDS, text));
    }
    expect(await called, `round ${round}`).toContain('data: [DONE]');
  }
  expect(server.said()).not.toContain('was saved from its log');
}, 3_600_000);

/** Sleeps of a process: it notices nothing of them but that time has passed. */
async function starve(pid: number, random: Random, isLong: boolean): Promise<void> {
  await sleep(random.between(0, 80));
  for (let left = random.between(2, 4); left > 0; left--) {
    process.kill(pid, 'SIGSTOP');
    await sleep(isLong ? random.between(2500, 6000) : random.between(50, 700));
    process.kill(pid, 'SIGCONT');
    await sleep(random.between(1, 60));
  }
}

/** As many busy processes as there are CPUs, at the priority of the server. */
function takeCpu(): void {
  for (let n = 0; n < 2; n++) {
    const busy = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
    onTestFinished(() => void busy.kill('SIGKILL'));
  }
}

async function keyOf(url: string, person?: Client): Promise<string> {
  const made = await fetch(`${url}/trpc/apiKeys.create`, {
    method: 'POST',
    headers: { ...person?.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'A script', scopes: ['chat'] }),
  });
  const { result } = (await made.json()) as { result: { data: { key: string } } };
  return result.data.key;
}

async function callOf(url: string, key: string, content: string): Promise<string> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: 'gpt-4', messages: [{ role: 'user', content }], stream: true }),
  });
  return response.text();
}

async function environment(): Promise<Record<string, string>> {
  const database = await copyTemplate();
  onTestFinished(async () => void (await database.drop()));
  const { folder, user } = inject('database');
  return {
    PGHOST: folder,
    PGUSER: user,
    DATABASE_URL: `postgres:///${database.connection.database}`,
    // Few connections, for which statements wait.
    DATABASE_POOL_SIZE: '2',
    DATA_DIR: createFolder(),
    PORT: '0',
    OPENAI_API_KEY: 'fake',
    OPENAI_REVERSE_PROXY: `${provider.url}/v1`,
    OPENAI_MODELS: 'gpt-4',
    TITLE_CONVO: 'false',
    // A sign-in outlasts the test: a stream whose access token expires while it begins is cut.
    SESSION_EXPIRY: '1000 * 60 * 60 * 12',
    // A provider that seems silent is one that was not heard.
    STREAM_FIRST_TIMEOUT: '600000',
    STREAM_IDLE_TIMEOUT: '600000',
  };
}
