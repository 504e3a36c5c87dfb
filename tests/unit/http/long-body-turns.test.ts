// Bodies as long as an OpenAPI document stay in memory until they are answered: who may send one when.
import { bodyMaxOfCalls, inTurnWhenLong, type BodyAuth } from '@parley/server/http/request-body';
import { expect, it } from 'vitest';

const auth: BodyAuth = {
  authenticateLimited: async () => null,
  authenticate: async (token) => (token.startsWith('banned') ? null : { userId: token, sid: token }),
  bannedUntil: async (token) => (token.startsWith('banned') ? '2100-01-01T00:00:00.000Z' : null),
};

/** Sends a long document, which is handled until `end`. */
function send(begun: string[], token: string, name: string, body = 'x'.repeat(2 * 1024 * 1024)) {
  const headers = { authorization: `Bearer ${token}`, 'content-length': String(body.length) };
  const request = new Request('http://localhost/', { method: 'POST', body, headers });
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  const done = inTurnWhenLong(request, bodyMaxOfCalls(['actions.parse'], request.headers), auth, async () => {
    begun.push(name);
    await ended;
  });
  return { end, done };
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

it('a second long body of a person waits for the first, and one of somebody else does not', async () => {
  const begun: string[] = [];
  const first = send(begun, 'alice', 'first');
  const second = send(begun, 'alice', 'second');
  const other = send(begun, 'bob', 'other');
  const short = send(begun, 'alice', 'short', '{}');
  await settle();
  expect(begun.toSorted()).toEqual(['first', 'other', 'short']);
  first.end();
  await first.done;
  await settle();
  expect(begun).toContain('second');
  for (const one of [second, other, short]) one.end();
  await Promise.all([second.done, other.done, short.done]);
});

it('three long bodies are handled at a time, and one of all who are banned', async () => {
  const begun: string[] = [];
  const sent = ['banned1', 'banned2', 'carol', 'dora', 'emil'].map((name) => send(begun, name, name));
  await settle();
  expect(begun).toHaveLength(3);
  expect(begun.filter((name) => name.startsWith('banned')).length).toBeLessThanOrEqual(1);
  for (const one of sent) one.end();
  await Promise.all(sent.map(({ done }) => done));
  expect(begun).toHaveLength(5);
});
