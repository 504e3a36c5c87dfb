import { randomUUID } from 'node:crypto';
import { connect, open, type Db } from '@parley/db/client';
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

/** A database that has written the beginning of a run and is slow to say so. */
export interface LateDatabase {
  db: Db;
  /** From now on the answer to whatever first leaves a running generation of `owner` behind is held back. */
  holdBeginOf(owner: string): { written: Promise<void>; release(): void };
}

/** Real in everything but the time of one answer. */
export function createLateDatabase(db: Db): LateDatabase {
  let hold: { owner: string; onWritten: () => void; released: Promise<void> } | null = null;

  async function late<T>(answer: Promise<T>): Promise<T> {
    const result = await answer;
    const held = hold;
    if (!held) return result;
    const [begun] = await db.sql`select from generations where owner = ${held.owner} and ended_at is null`;
    if (!begun) return result;
    hold = null;
    held.onWritten();
    await held.released;
    return result;
  }

  const delayed = <T extends object>(of: T, names: readonly string[]): T =>
    new Proxy(of, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function' || !names.includes(String(name))) return value;
        return (...args: unknown[]) => late(Promise.resolve(Reflect.apply(value, target, args)));
      },
    });

  return {
    db: {
      ...db,
      query: delayed(db.query, ['transaction', 'execute']),
      locking: delayed(db.locking, ['execute']),
    },
    holdBeginOf(owner) {
      let release = () => {};
      const released = new Promise<void>((resolve) => (release = resolve));
      const written = new Promise<void>((resolve) => (hold = { owner, onWritten: resolve, released }));
      return { written, release };
    },
  };
}
