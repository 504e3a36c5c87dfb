// A file that is much longer than what the server may hold of it at once.
import { createSession } from '@parley/server/auth/session/sessions';
import { importFile } from '@parley/server/transfer/import';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestServices, type TestServices } from '../../support/services.ts';
import { longFile } from './long-file.ts';

/** A transaction takes a megabyte; one conversation and one piece of the file may lie over it. */
const MOST_BYTES = 2_000_000;

let services: TestServices;

beforeAll(async () => {
  services = await openTestServices();
});
afterAll(() => services.close());

test('a file of 8 MB is imported whole, with at most 2 MB read ahead of its results', async () => {
  const alice = await services.as('alice');
  const sizes: number[] = [];
  let read = 0;
  let answered = 0;
  let highest = 0;
  const file = longFile(8, (bytes) => {
    sizes.push(bytes);
    read += bytes;
    highest = Math.max(highest, read - answered);
  });
  const outcomes: string[] = [];
  const { sid } = await createSession(services.deps.db, 3_600_000, alice.id);
  for await (const line of importFile(services.deps, { userId: alice.id, sid }, file)) {
    if (!('index' in line)) {
      expect(line).toEqual({ end: true, items: sizes.length + 1, fault: null });
      continue;
    }
    answered += sizes[line.index] ?? 0;
    outcomes.push(line.outcome);
  }
  expect(outcomes).toEqual([...sizes.map(() => 'imported'), 'skipped']);
  expect(read).toBeGreaterThan(8_000_000);
  expect(highest).toBeLessThan(MOST_BYTES);
  const [{ count } = { count: 0 }] = await services.deps.db.sql<{ count: number }[]>`
    select count(*) from messages where user_id = ${alice.id}`;
  expect(count).toBe(50 * sizes.length);
});
