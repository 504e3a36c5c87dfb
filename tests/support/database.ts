import { randomUUID } from 'node:crypto';
import { connect, open } from '@parley/db/client';
import { inject } from 'vitest';

/** Each connection is a process of PostgreSQL, which costs as much as a hundred statements. */
export const POOL_SIZE = 3;

/** A migrated database for the caller alone, on the run's one server. `drop` also ends `db`. */
export async function createTestDatabase() {
  const { connection, drop } = await copyTemplate();
  const db = connect(connection, { max: POOL_SIZE });
  return {
    connection,
    db,
    async drop() {
      await db.end();
      await drop();
    },
  };
}

/** A migrated database without any connection yet. */
export async function copyTemplate() {
  const server = inject('database');
  const database = `test_${randomUUID().replaceAll('-', '')}`;
  // The template's files are copied as they are: a fifth of the time that a copy page by page takes.
  await command(`create database ${database} template parley_template strategy file_copy`);
  return { connection: { ...server, database }, drop: () => command(`drop database ${database} with (force)`) };
}

let commands: ReturnType<typeof open> | undefined;

/** All commands of a worker share a connection, which ends with it. */
function command(statement: string) {
  commands ??= open(inject('database'), { max: 1 });
  return commands.unsafe(statement);
}
