import { mkdtemp, rm } from 'node:fs/promises';
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
  }
}

/** One server for the whole run, with a migrated database that `createTestDatabase` copies. */
export default async function setup(project: TestProject) {
  const { connection, stop } = await setupDatabase(migrations);
  project.provide('database', connection);
  return stop;
}

export async function setupDatabase(folder: string) {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-test-'));
  const server = await startEmbedded(dataDir, { max_connections: '200', ...volatile });
  const template = { ...server.connection, database: 'parley_template' };
  const sql = open(server.connection, { max: 1 });
  await sql`create database parley_template`;
  await sql.end();
  await migrate(template, folder);
  return {
    connection: server.connection,
    async stop() {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const migrations = fileURLToPath(new URL('../../db/migrations', import.meta.url));

/** Nothing here needs to outlive the run. */
const volatile = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
