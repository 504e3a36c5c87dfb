// Several server processes on one database that is killed in mid-answer and comes back after 1 to 20 seconds: every
// answer comes through whole, whichever process is back first, and to who reads it at another process, too.
// `OUTAGES_SEED` repeats a run.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { open } from '@parley/db/client';
import { assertBinaries } from '@parley/db/embedded/binaries';
import { ensureCluster } from '@parley/db/embedded/cluster';
import { osUserFor } from '@parley/db/embedded/os-user';
import { connectionTo, preparePaths, type Paths } from '@parley/db/embedded/paths';
import { launchPostmaster, stopPostmaster } from '@parley/db/embedded/postmaster';
import { messageText } from '@parley/schema/messages/messages';
import { build } from '@parley/scripts/build';
import { createRandom } from '@parley/scripts/chaos/random';
import { startFakeProvider, scenarioText as saidBy, type FakeProvider } from '@parley/scripts/fake-provider';
import { createDevice, registerAccount, type Device } from '@parley/scripts/api-client';
import { root } from '@parley/scripts/build-stamps';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { question } from '../../support/exchange.ts';

const seed = Number(process.env.OUTAGES_SEED ?? Date.now() % 100_000);
const WORDS = 900;
/** Milliseconds between two words: longer together than the longest outage and the lease after it. */
const PACE_MS = 50;

let provider: FakeProvider;
let paths: Paths;
const data = mkdtempSync(join(tmpdir(), 'parley-outages-'));
const secrets = mkdtempSync(join(tmpdir(), 'parley-outages-secrets-'));

beforeAll(async () => {
  // The bundle, whose driver differs.
  await build();
  provider = await startFakeProvider();
  paths = preparePaths(data);
  await startDatabase();
}, 120_000);
afterAll(async () => {
  await provider.close();
  await stopPostmaster(paths);
  for (const folder of [data, secrets]) rmSync(folder, { recursive: true, force: true });
});

describe(`a database that is away for a while (seed ${seed})`, () => {
  it.each([2, 3])(
    'costs no answer of %i processes a word',
    async (count) => {
      const chance = createRandom(`${seed} ${count}`);
      const servers = await Promise.all(Array.from({ length: count }, () => startServer()));
      const account = await registerAccount(servers[0]?.url ?? '', `outages-${count}`);
      const devices = servers.map(({ url }) => createDevice(url, account));
      try {
        for (const seconds of [3, chance.between(1, 7), chance.between(8, 20)]) {
          const asked = await Promise.all(devices.map((device, n) => ask(device, `${count} ${seconds} ${n}`)));
          const readings = asked.map(({ generationId }, n) => readAt(devices[(n + 1) % count], generationId));
          await sleep(chance.between(1000, 6000));
          await outage(seconds * 1000);
          for (const [n, { conversationId }] of asked.entries()) {
            const reply = await ended(devices, conversationId);
            // Who reads at another process needs no reload.
            expect(await readings[n]).toEqual('final');
            // A process that died loses its answers for another reason.
            expect(servers.map(({ exit }) => exit())).toEqual(servers.map(() => null));
            expect({ seconds, reason: reply.reason, finishReason: reply.finishReason }).toEqual({
              seconds,
              reason: null,
              finishReason: 'stop',
            });
            expect(messageText(reply)).toBe(saidBy('tokens', `${WORDS}@${PACE_MS}`, ''));
          }
        }
      } finally {
        for (const device of devices) await device.close();
        await Promise.all(servers.map(({ kill }) => kill()));
      }
    },
    600_000,
  );
});

async function ask(device: Device, name: string) {
  const input = question(`[[tokens:${WORDS}@${PACE_MS}]] ${name}`, { model: 'gpt-4' });
  await device.api.messages.ask.mutate(input);
  return input;
}

/** How one subscription to an answer ends: with the type of its last event, or with what it was refused for. */
function readAt(device: Device | undefined, generationId: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    let last: string | undefined;
    device?.api.messages.attach.subscribe(
      { generationId },
      {
        onData: ({ data }) => void (last = data.type),
        onError: ({ message }) => resolve(message),
        onComplete: () => resolve(last),
      },
    );
  });
}

/** The reply once it has ended, asked again and again at any of the processes. */
async function ended(devices: readonly Device[], conversationId: string) {
  for (let n = 0; n < 600; n++) {
    const device = devices[n % devices.length];
    const messages = await device?.api.messages.list.query({ conversationId }).catch(() => []);
    const reply = messages?.find((message) => !message.isCreatedByUser);
    if (reply && reply.finishReason !== null) return reply;
    await sleep(250);
  }
  throw new Error('The answer did not end');
}

/** Kills the database as a crash does, and starts it again later. */
async function outage(ms: number): Promise<void> {
  const sql = open(connectionTo(paths, 'postgres'), { max: 1 });
  const [{ pid } = { pid: 0 }] = await sql<{ pid: number }[]>`
    select split_part(pg_read_file('postmaster.pid'), E'\n', 1)::int as pid`;
  process.kill(pid, 'SIGQUIT');
  await sql.end({ timeout: 0 }).catch(() => {});
  await sleep(ms);
  await startDatabase();
}

async function startDatabase(): Promise<void> {
  const binaries = assertBinaries();
  const identity = osUserFor(paths);
  await ensureCluster(paths, binaries, identity);
  launchPostmaster(paths, binaries, identity, { max_connections: '200' });
  for (let n = 0; n < 600; n++) {
    const sql = open(connectionTo(paths, 'postgres'), { max: 1 });
    const isThere = await sql`select 1`.then(
      () => true,
      () => false,
    );
    if (isThere) await sql.unsafe('create database outages').catch(() => {});
    await sql.end({ timeout: 0 }).catch(() => {});
    if (isThere) return;
    await sleep(100);
  }
  throw new Error('The database did not start');
}

interface Started {
  url: string;
  /** How it ended by itself, with its last words; null while it runs. */
  exit(): string | null;
  kill(): Promise<void>;
}

async function startServer(): Promise<Started> {
  const { PATH = '', HOME = '' } = process.env;
  const connection = connectionTo(paths, 'outages');
  const env = {
    PATH,
    HOME,
    PGHOST: connection.folder,
    PGUSER: connection.user,
    DATABASE_URL: 'postgres:///outages',
    // The processes of one database share its secrets.
    DATA_DIR: secrets,
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'error',
    OPENAI_API_KEY: 'fake',
    OPENAI_REVERSE_PROXY: `${provider.url}/v1`,
  };
  const child = spawn(process.execPath, [join(root, 'server/dist/main.js')], { cwd: root, env });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let exit: string | null = null;
  let said = '';
  child.once('exit', (code, signal) => (exit = `${code ?? signal}: ${said.slice(-2000)}`));
  const url = await new Promise<string>((resolve, reject) => {
    for (const output of [child.stdout, child.stderr])
      output.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        const ready = /ready on (\S+)/.exec(said)?.[1];
        if (ready) resolve(ready);
      });
    void gone.then(() => reject(new Error(`The server ended: ${said}`)));
  });
  return {
    url,
    exit: () => exit,
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}
