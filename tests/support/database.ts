import { randomUUID } from 'node:crypto';
import { connect, open } from '@parley/db/client';
import type { Connection } from '@parley/db/client';
import { inject } from 'vitest';

/** A migrated database for the caller alone, on the run's one server. `drop` also ends `db`. */
export async function createTestDatabase() {
  const { connection, drop } = await copyTemplate();
  const db = connect(connection);
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
  await command(server, `create database ${database} template parley_template`);
  return { connection: { ...server, database }, drop: () => command(server, `drop database ${database} with (force)`) };
}

async function command(server: Connection, statement: string) {
  const sql = open(server, { max: 1 });
  await sql.unsafe(statement);
  await sql.end();
}
