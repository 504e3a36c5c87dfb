// COPY as streams: each ends or fails for the one who reads or writes it, and its connection can be used afterward.
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { open } from '@parley/db/client';
import { openSnapshot } from '@parley/db/dump';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.db.sql`create table written (number int primary key, text text not null)`;
});
afterAll(() => database.drop());

const KB = 1024;
/** The stream's buffer holds 16 KiB and a read of the socket returns at most 64 KiB. */
const AROUND_THE_BUFFERS = [16, 32, 64, 128].flatMap((kb) => [-6, -5, -1, 0, 1].map((more) => kb * KB + more));
const SIZES = [1, 8, 15, 17, 30, 60, 63, 66, 80, 100, 200, 500, 1_000, 5_000].map((kb) => kb * KB);

describe('the text of a table is read to its end', () => {
  test.each([...SIZES, ...AROUND_THE_BUFFERS])('with a row of %i bytes', async (bytes) => {
    const name = `row_of_${bytes}`;
    await database.db.sql`create table ${database.db.sql(name)} as select repeat('x', ${bytes - 1}::int) as text`;
    onTestFinished(async () => void (await database.db.sql`drop table ${database.db.sql(name)}`));
    expect(await lengthsOf(name)).toEqual([bytes]);
  });

  test.each([2, 3, 12])('with %i rows of each size', async (times) => {
    const sizes = [...SIZES, ...AROUND_THE_BUFFERS].filter((size) => size <= 200 * KB);
    const name = `rows_${times}`;
    await database.db.sql`create table ${database.db.sql(name)} as
      select repeat('x', size - 1) as text from unnest(${sizes}::int[]) as size, generate_series(1, ${times}::int)`;
    onTestFinished(async () => void (await database.db.sql`drop table ${database.db.sql(name)}`));
    expect(await lengthsOf(name)).toHaveLength(sizes.length * times);
  });

  test('with no row', async () => {
    expect(await lengthsOf('written')).toEqual([]);
  });
});

/** Reads a table twice in one snapshot, the second time slowly: a connection that is left paused delivers nothing more. */
async function lengthsOf(name: string): Promise<number[]> {
  const snapshot = await openSnapshot(database.connection);
  onTestFinished(() => snapshot.close());
  const table = snapshot.tables.find((one) => one.name === name);
  if (!table) throw new Error(`There is no table ${name}`);
  const text = await buffer(snapshot.read(table));
  let slowly = 0;
  for await (const chunk of snapshot.read(table)) {
    slowly += chunk.length;
    await new Promise(setImmediate);
  }
  expect(slowly).toBe(text.length);
  await snapshot.sequences();
  return text
    .toString('latin1')
    .split('\n')
    .slice(0, -1)
    .map((row) => row.length + 1);
}

describe('a connection can be used after a COPY', () => {
  test.each([1, 20, 100, 5_000])('that is not read to its end, with rows of %i kB', async (kb) => {
    const sql = openOne();
    const stream = await sql`copy (select repeat('x', ${sql.unsafe(String(kb * KB))}) from generate_series(1, 20))
      to stdout`.readable();
    for await (const chunk of stream) {
      expect(chunk).toBeDefined();
      break;
    }
    expect(stream.destroyed).toBe(true);
    expect([...(await sql`select 1 as one`)]).toEqual([{ one: 1 }]);
  });

  test.each([1, 2, 20, 1_000])('that fails at row %i', async (row) => {
    const sql = openOne();
    const failing = async () => {
      const stream = await sql`copy (select repeat('x', 20000), 1 / (${sql.unsafe(String(row))} - n)
        from generate_series(1, 2000) as n) to stdout`.readable();
      for await (const chunk of stream) expect(chunk).toBeDefined();
    };
    await expect(failing()).rejects.toThrow('division by zero');
    expect([...(await sql`select 1 as one`)]).toEqual([{ one: 1 }]);
  });

  test('whose rows the server refuses at their end', async () => {
    const sql = openOne();
    await expect(write(sql, ['1\tfirst\n', '1\tthe same key\n'])).rejects.toThrow('duplicate key');
    await expect(write(sql, ['1\tonly\n', '2'])).rejects.toThrow('missing data');
    await write(sql, ['1\tfirst\n', '2\tsecond\n']);
    expect([...(await sql`select count(*)::int as count from written`)]).toEqual([{ count: 2 }]);
  });

  test('whose rows the server refuses while there are more', async () => {
    const sql = openOne();
    const rows = Array.from({ length: 2_000 }, (_, n) => `${n === 10 ? 'no number' : n + 10}\t${'x'.repeat(10_000)}\n`);
    await expect(write(sql, rows)).rejects.toThrow('invalid input syntax');
    expect([...(await sql`select 1 as one`)]).toEqual([{ one: 1 }]);
  });

  test('whose writer fails', async () => {
    const sql = openOne();
    const failing = async function* () {
      yield '20\tfirst\n';
      throw new Error('The file is damaged');
    };
    await expect(write(sql, failing())).rejects.toThrow('The file is damaged');
    expect([...(await sql`select count(*)::int as count from written where number = 20`)]).toEqual([{ count: 0 }]);
  });
});

describe('a stream fails with its connection', () => {
  test('while it waits to be read', async () => {
    const sql = openOne();
    const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
    const stream = await sql`copy (select repeat('x', 100000) from generate_series(1, 1000)) to stdout`.readable();
    const reading = (async () => {
      for await (const chunk of stream) {
        expect(chunk).toBeDefined();
        await endFromOutside(row?.pid);
      }
    })();
    await expect(reading).rejects.toThrow(/terminating connection|CONNECTION_CLOSED/);
    await sql.end();
  });

  test('while it is written', async () => {
    const sql = openOne();
    const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
    const writing = async function* () {
      yield '30\tfirst\n';
      await endFromOutside(row?.pid);
      for (let n = 31; ; n += 1) {
        yield `${n}\tmore\n`;
        await new Promise(setImmediate);
      }
    };
    await expect(write(sql, writing())).rejects.toThrow();
    await sql.end();
  });

  test('after it is written and before the server confirms it', async () => {
    const sql = openOne();
    const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
    // The server holds the COPY at its key until this transaction is over.
    const other = openOne();
    const held = other.begin(async (tx) => {
      await tx`insert into written values (40, 'of another')`;
      const copying = write(sql, ['40\tthe same key\n']);
      const isWaiting = () => database.db.sql`select 1 from pg_stat_activity
        where pid = ${row?.pid ?? 0} and wait_event = 'transactionid'`;
      await expect.poll(isWaiting).toHaveLength(1);
      await endFromOutside(row?.pid);
      await expect(copying).rejects.toThrow();
      throw new Error('let go');
    });
    await expect(held).rejects.toThrow('let go');
    await sql.end();
  });

  test('when the connection is closed here while it waits to be read', async () => {
    const sql = openOne();
    const stream = await sql`copy (select repeat('x', 100000) from generate_series(1, 1000)) to stdout`.readable();
    const first = await stream[Symbol.asyncIterator]().next();
    expect(first.done).toBe(false);
    await sql.end({ timeout: 0 });
    expect(stream.destroyed).toBe(true);
  });
});

function openOne() {
  const sql = open(database.connection, { max: 1 });
  onTestFinished(() => sql.end({ timeout: 0 }));
  return sql;
}

async function write(sql: ReturnType<typeof open>, rows: Iterable<string> | AsyncIterable<string>): Promise<void> {
  await pipeline(Readable.from(rows, { objectMode: false }), await sql`copy written from stdin`.writable());
}

async function endFromOutside(pid = 0): Promise<void> {
  await database.db.sql`select pg_terminate_backend(${pid})`;
}
