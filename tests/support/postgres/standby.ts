// A primary and its hot standby: two PostgreSQL of the installed package, the second begun as a copy of the first.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect as openSocket, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect, open, type Connection } from '@parley/db/client';
import { startEmbedded } from '@parley/db/embedded';
import { migrate } from '@parley/db/migrate';
import { expect, onTestFinished } from 'vitest';
import { createFolder } from '../folders.ts';

const SETTINGS = {
  wal_level: 'replica',
  max_wal_senders: '4',
  fsync: 'off',
  full_page_writes: 'off',
  log_statement: 'all',
};
const MIGRATIONS = fileURLToPath(new URL('../../../db/migrations', import.meta.url));

export type Pair = Awaited<ReturnType<typeof startPair>>;

/** Both end with the test. */
export async function startPair() {
  const folder = createFolder();
  const [first, second] = [join(folder, 'primary'), join(folder, 'standby')];
  const begun = await startEmbedded(first, SETTINGS);
  await migrate(begun.connection, MIGRATIONS);
  const superuser = open(begun.connection, { max: 1 });
  await superuser`create role replica login replication`;
  await superuser.end();
  await begun.stop();
  spawnSync('cp', ['-a', first, second]);
  writeFileSync(join(second, 'postgres/standby.signal'), '');
  rmSync(join(second, 'postgres.log'));
  const primary = await startEmbedded(first, SETTINGS);
  const source = `host=${primary.connection.folder} user=replica`;
  const startStandby = () => startEmbedded(second, { ...SETTINGS, primary_conninfo: source });
  let standby = await startStandby();
  const stopStandby = () => standby.stop();
  onTestFinished(() => Promise.all([primary.stop(), stopStandby()]).then(() => {}));
  const [there, here] = [await startRelay(primary.connection), await startRelay(standby.connection)];
  return {
    url: there.url,
    readUrl: here.url,
    /** From now on who comes by `readUrl` hears nothing. */
    freeze: here.freeze,
    stopStandby,
    startStandby: async () => void (standby = await startStandby()),
    /** What the standby was asked. */
    statements: () => readFileSync(join(second, 'postgres.log'), 'utf8'),
    /** Of the superuser, for what a test does to the servers. */
    primary: openOne(primary.connection),
    standby: openOne(standby.connection),
  };
}

function openOne(connection: Connection) {
  const client = open(connection, { max: 1 });
  onTestFinished(() => client.end({ timeout: 0 }));
  return client;
}

/** An address for a socket, which no URL can name. */
async function startRelay({ folder }: { folder: string }) {
  const path = join(folder, '.s.PGSQL.5432');
  let isFrozen = false;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    if (isFrozen) return;
    const there = openSocket(path);
    for (const [one, other] of [
      [socket, there],
      [there, socket],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    url: `postgres://parley@127.0.0.1:${port}/parley`,
    freeze() {
      isFrozen = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
  };
}

/** The database, and why its standby was left. Its connections end with the test. */
export function connectTo(url: string, readUrl?: string) {
  const left: string[] = [];
  const db = connect({ kind: 'url', url, readUrl }, { max: 4, onStandbyLeft: (reason) => void left.push(reason) });
  onTestFinished(() => db.end());
  return { db, left };
}

/** Waits until the standby has what is written now. */
export async function caughtUp({ primary, standby }: Pair): Promise<void> {
  const [row] = await primary<{ at: string }[]>`select pg_current_wal_lsn()::text as at`;
  const isThere = () => standby`select pg_last_wal_replay_lsn() >= ${row?.at ?? ''}::pg_lsn as is`;
  await expect.poll(async () => (await isThere())[0]?.is).toBe(true);
}
