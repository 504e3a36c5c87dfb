import { readBody } from '@parley/server/rest/body';
import { listed } from '@parley/server/rest/responses';
import { turnToParse } from '@parley/server/http/request-body';
import { expect, it } from 'vitest';

/** Counts the turns of the event loop while some work goes on. */
async function inTurns<T>(work: (turn: () => number) => Promise<T>): Promise<T> {
  let turn = 0;
  let isOver = false;
  const count = () => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  return work(() => turn).finally(() => (isOver = true));
}

it('parses each of several long bodies in a turn of its own, and short ones at once', async () => {
  const turnsOf = (text: string) =>
    inTurns((turn) => Promise.all([1, 2, 3].map(() => turnToParse(text).then(() => turn()))));
  expect(new Set(await turnsOf('a'.repeat(200_000))).size).toBe(3);
  expect(new Set(await turnsOf('{}')).size).toBe(1);
});

it('reads a long body of a REST request whole', async () => {
  const text = '漢'.repeat(200_000);
  const headers = { 'content-type': 'application/json', authorization: 'Bearer alice' };
  const request = new Request('http://parley/', { method: 'POST', body: JSON.stringify({ text }), headers });
  const signedIn = { authenticate: async () => ({ userId: 'alice', sid: '1' }), bannedUntil: async () => null };
  expect(await readBody(request, 1_000_000, signedIn)).toEqual({ text });
});

it.each([0, 1, 200, 201, 1000])('writes a list of %d items, at most 200 in a turn', async (length) => {
  const items = Array.from({ length }, (_, at) => ({ at }));
  const presented = new Map<number, number>();
  const list = await inTurns((turn) =>
    listed(items, (item) => {
      presented.set(turn(), (presented.get(turn()) ?? 0) + 1);
      return item;
    }).json(),
  );
  expect(list).toEqual(items);
  expect(Math.max(0, ...presented.values())).toBeLessThanOrEqual(200);
});
