import { readBody } from '@parley/server/rest/body';
import { createLongResponses, respondList, unsentBytes } from '@parley/server/http/long-responses';
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
  const signedIn = {
    authenticate: async () => ({ userId: 'alice', sid: '1' }),
    authenticateLimited: async () => null,
    bannedUntil: async () => null,
  };
  expect(await readBody(request, 1_000_000, signedIn)).toEqual({ text });
});

it.each([0, 1, 200, 201, 1000])('writes a list of %d items, at most 200 in a turn', async (length) => {
  const items = Array.from({ length }, (_, at) => ({ at }));
  const presented = new Map<number, number>();
  const list = await inTurns(async (turn) => {
    const response = await respondList(items, (item) => {
      presented.set(turn(), (presented.get(turn()) ?? 0) + 1);
      return item;
    });
    return response.json();
  });
  expect(list).toEqual(items);
  expect(Math.max(0, ...presented.values())).toBeLessThanOrEqual(200);
});

/** Each is written as 100,000 characters; counts how many of them are written in a turn. */
function longItems(turn: () => number, written: Map<number, number>) {
  const write = (at: number) => {
    written.set(turn(), (written.get(turn()) ?? 0) + 1);
    return { at, text: 'a'.repeat(100_000) };
  };
  return Array.from({ length: 30 }, (_, at) => ({ toJSON: () => write(at) }));
}

it('writes at most about half a million characters of a list in a turn', async () => {
  const written = new Map<number, number>();
  const list = await inTurns(async (turn) => (await respondList(longItems(turn, written), (item) => item)).json());
  expect(list).toHaveLength(30);
  expect(Math.max(...written.values())).toBeLessThanOrEqual(5);
});

it('writes long answers of procedures like that, too, and as the JSON they are', async () => {
  const written = new Map<number, number>();
  const other = {
    title: 'A "long-title"',
    gone: undefined,
    none: null,
    empty: [],
    bare: {},
    odd: [undefined, [1, { a: [2] }]],
  };
  const read = await inTurns(async (turn) => {
    const responses = createLongResponses();
    const whole = { convo: other, messages: longItems(turn, written) };
    const kept = await Promise.all([
      responses.keep(other),
      responses.keep(whole),
      responses.keep(null),
      responses.keep([]),
    ]);
    const batch = [...kept, 'long-1', undefined].map((data) => ({ result: { data } }));
    const response = await responses.fill(Response.json(batch, { status: 207 }));
    expect([response.status, response.headers.get('content-type')]).toEqual([207, 'application/json']);
    return response.json() as Promise<unknown>;
  });
  expect(Math.max(...written.values())).toBeLessThanOrEqual(5);
  const messages = Array.from({ length: 30 }, (_, at) => ({ at, text: 'a'.repeat(100_000) }));
  const answers = [other, { convo: other, messages }, null, [], 'long-1', undefined];
  expect(read).toEqual(JSON.parse(JSON.stringify(answers.map((data) => ({ result: { data } })))));
});

it('counts what is not sent of a long answer', async () => {
  const text = 'ä'.repeat(400_000);
  const response = await respondList([text, text, text], (item) => item);
  const length = Number(response.headers.get('content-length'));
  expect(length).toBe(Buffer.byteLength(JSON.stringify([text, text, text])));
  expect(unsentBytes(response)()).toBe(length);
  const reader = response.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  expect(unsentBytes(response)()).toBe(length - (value?.length ?? 0));
  await reader?.cancel();
  expect(unsentBytes(response)()).toBe(0);
});
