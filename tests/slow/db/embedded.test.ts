import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect, open } from '@parley/db/client';
import type { Connection } from '@parley/db/client';
import { startEmbedded } from '@parley/db/embedded';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createFolder } from '../../support/folders.ts';

test('a fresh folder becomes a database that keeps what it was given', async () => {
  const folder = createFolder();
  const first = await start(folder);
  expect(first.adopted).toBe(false);
  await ask(first.connection, 'create table notes as select 1 as n');
  await first.stop();
  const second = await start(folder);
  expect(second.adopted).toBe(false);
  expect(await ask(second.connection, 'select n from notes')).toEqual([{ n: 1 }]);
});

describe('a running server', () => {
  let server: Awaited<ReturnType<typeof startEmbedded>>;
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'));

  beforeAll(async () => {
    server = await startEmbedded(folder);
  });

  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  test('does not listen on the network, and nobody else can reach its socket', async () => {
    expect(await ask(server.connection, 'show listen_addresses')).toEqual([{ listen_addresses: '' }]);
    expect(statSync(server.connection.folder).mode & 0o777).toBe(0o700);
  });

  test('acknowledges what is on disk', async () => {
    for (const name of ['fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums']) {
      expect(await ask(server.connection, `show ${name}`)).toEqual([{ [name]: 'on' }]);
    }
  });

  test('knows letters beyond ASCII, in trigrams, case and unaccent', async () => {
    await ask(server.connection, 'create extension pg_trgm');
    await ask(server.connection, 'create extension unaccent');
    const [row] = await ask(
      server.connection,
      `select similarity('안녕하세요 여러분', '안녕하세요') > 0.3 as korean, similarity('Привет мир', 'привет') > 0.5 as russian,
      lower('ÄÖ') as lower, unaccent('Größe') as plain`,
    );
    expect(row).toEqual({ korean: true, russian: true, lower: 'äö', plain: 'Grosse' });
  });
});

test('the server of a killed process is adopted, its rows with it', async () => {
  const folder = createFolder();
  const owner = await startOwner(folder);
  expect(owner.said).toBe('started');
  await kill(owner.process);
  const { adopted, connection } = await start(folder);
  expect(adopted).toBe(true);
  expect(await ask(connection, 'select 1 as n')).toEqual([{ n: 1 }]);
});

test('a killed server and its killed process are recovered without losing a row', async () => {
  const folder = createFolder();
  const owner = await startOwner(folder);
  const { connection, stop } = await start(folder);
  await ask(connection, 'create table notes as select 1 as n');
  await stop();
  await kill(owner.process);
  killServer(folder);
  const next = await start(folder);
  expect(next.adopted).toBe(false);
  expect(await ask(next.connection, 'select n from notes')).toEqual([{ n: 1 }]);
});

test('a server killed under a living process comes back by itself', async () => {
  const folder = createFolder();
  const { connection } = await start(folder);
  const db = connect(connection, { max: 1 });
  await db.sql`create table notes as select 1 as n`;
  killServer(folder);
  await vi.waitFor(async () => expect(await db.sql`select n from notes`).toEqual([{ n: 1 }]), 20_000);
  await db.end();
});

test('of simultaneous starters one starts the server and the others adopt it', async () => {
  const folder = createFolder();
  const servers = await Promise.all([startOwner(folder), startOwner(folder), startOwner(folder)]);
  expect(servers.map((server) => server.said).toSorted()).toEqual(['adopted', 'adopted', 'started']);
  expect(readdirSync(folder).toSorted()).toEqual(['postgres', 'postgres.log', 'run']);
});

test('within one process it is the same', async () => {
  const folder = createFolder();
  const servers = await Promise.all([start(folder), start(folder), start(folder)]);
  expect(servers.map((server) => server.adopted).toSorted()).toEqual([false, true, true]);
});

test('the last process out stops the server, no matter which one started it', async () => {
  const folder = createFolder();
  const owner = await startOwner(folder);
  const guest = await startOwner(folder);
  await end(owner.process);
  expect(existsSync(pidFile(folder))).toBe(true);
  await end(guest.process);
  expect(existsSync(pidFile(folder))).toBe(false);
});

test('a folder inside one that is closed to others will do', async () => {
  const folder = join(createFolder(), 'closed', 'data');
  mkdirSync(folder, { recursive: true });
  chmodSync(join(folder, '..'), 0o700);
  const { connection } = await start(folder);
  expect(await ask(connection, 'select 1 as n')).toEqual([{ n: 1 }]);
});

test('a folder too deep for a socket path, with a comma and a space in its name, will do', async () => {
  const { connection, adopted } = await start(join(createFolder(), 'a, b '.repeat(30)));
  expect(adopted).toBe(false);
  expect(connection.folder.length).toBeLessThan(90);
  expect(await ask(connection, 'select 1 as n')).toEqual([{ n: 1 }]);
  onTestFinished(() => rmSync(connection.folder, { recursive: true }));
});

test('a lock whose process number now belongs to another program, or is missing, is no obstacle', async () => {
  const folder = createFolder();
  for (const content of [`${process.pid}\n${folder}\n`, '']) {
    const { stop } = await start(folder);
    await stop();
    writeFileSync(pidFile(folder), content);
  }
  expect((await start(folder)).adopted).toBe(false);
});

test('what an interrupted first start left is cleared away', async () => {
  const folder = createFolder();
  mkdirSync(join(folder, 'postgres.new-999999999-a1b2c3', 'base'), { recursive: true });
  await start(folder);
  expect(readdirSync(folder).toSorted()).toEqual(['postgres', 'postgres.log', 'run']);
});

test('a first start may take longer than a server may be silent', async () => {
  const folder = createFolder();
  // A minute passes while the cluster is created.
  const clock = () => (existsSync(join(folder, 'postgres')) ? 60_000 : 0);
  const server = await startEmbedded(folder, {}, clock);
  running.push(server);
  expect(await ask(server.connection, 'select 1 as n')).toEqual([{ n: 1 }]);
});

test('a damaged folder is one sentence, not a silent new beginning', async () => {
  const folder = createFolder();
  const { stop } = await start(folder);
  await stop();
  writeFileSync(join(folder, 'postgres/global/pg_control'), 'nonsense');
  await expect(startEmbedded(folder)).rejects.toThrow(
    /^PostgreSQL could not start: .+ \(details in .+postgres\.log\)\.$/,
  );
});

test('a process that was told to stop and has not ended is named to who starts later', async () => {
  const folder = createFolder();
  const stopping = await start(folder);
  expect((await start(folder)).stuck).toEqual([]);
  await stopping.announceStop();
  // A shutdown that has just begun is nothing to report.
  expect((await start(folder)).stuck).toEqual([]);
  const afterTwoMinutes = await startEmbedded(folder, {}, () => Date.now() + 120_000);
  running.push(afterTwoMinutes);
  expect(afterTwoMinutes.stuck).toEqual([process.pid]);
});

const running: { stop(): Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()));
});

async function start(folder: string) {
  const server = await startEmbedded(folder);
  running.push(server);
  return server;
}

/** A Node process of its own that uses the folder. */
async function startOwner(folder: string) {
  const file = fileURLToPath(new URL('../../fixtures/embedded-owner.ts', import.meta.url));
  const owner = spawn(process.execPath, ['--import', 'tsx', file, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  running.push({ stop: () => end(owner) });
  const ended = once(owner, 'exit').then(() => Promise.reject(new Error('The process ended without a word')));
  const [said] = await Promise.race([once(owner.stdout, 'data'), ended]);
  return { process: owner, said: String(said).trim() };
}

async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM') {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
}

function kill(child: ChildProcess) {
  return end(child, 'SIGKILL');
}

function pidFile(folder: string) {
  return join(folder, 'postgres/postmaster.pid');
}

function killServer(folder: string) {
  process.kill(Number(readFileSync(pidFile(folder), 'utf8').split('\n')[0]), 'SIGKILL');
}

async function ask(connection: Connection, statement: string) {
  const sql = open(connection, { max: 1 });
  const rows = await sql.unsafe(statement);
  await sql.end();
  return [...rows];
}
