import { existsSync, statfsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { open } from '@parley/db/client';
import type { Connection } from '@parley/db/client';
import { startEmbedded } from '@parley/db/embedded';
import { migrate } from '@parley/db/migrate';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    database: Connection & { kind: 'socket' };
    /** `folder` is removed at the end; processes with it as `TEST_RUN` in their environment are killed then. */
    run: { folder: string };
  }
}

/** One PostgreSQL for the whole run, with a migrated database that `createTestDatabase` copies. */
export default async function setup(project: TestProject) {
  const folder = await mkdtemp(join(fastestFolder(), 'parley-run-'));
  const { connection, stop } = await setupDatabase(join(folder, 'database'));
  project.provide('database', connection);
  project.provide('run', { folder });
  return async () => {
    await killLeftovers(folder);
    await stop();
    await rm(folder, { recursive: true, force: true });
  };
}

async function setupDatabase(dataDir: string) {
  const server = await startEmbedded(dataDir, { max_connections: '300', ...volatile });
  const template = { ...server.connection, database: 'parley_template' };
  const sql = open(server.connection, { max: 1 });
  await sql`create database parley_template`;
  await sql.end();
  await migrate(template, migrations);
  return { connection: server.connection, stop: () => server.stop() };
}

/** A memory file system, if there is one large enough for a run's databases. */
function fastestFolder(): string {
  const memory = '/dev/shm';
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > 3_000_000_000 ? memory : tmpdir();
}

/** Kills the servers of browser tests whose worker has ended without them. */
async function killLeftovers(folder: string): Promise<void> {
  const pids = existsSync('/proc') ? await readdir('/proc') : [];
  for (const pid of pids.filter((name) => /^\d+$/.test(name))) {
    try {
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8');
      if (environment.split('\0').includes(`TEST_RUN=${folder}`)) process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It belongs to somebody else, or has ended.
    }
  }
}

const migrations = fileURLToPath(new URL('../../db/migrations', import.meta.url));

/** Durability is off: nothing outlives the run. */
const volatile = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
