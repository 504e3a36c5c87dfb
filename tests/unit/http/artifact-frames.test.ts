// What the operator allows of the frames in which things of answers are shown.
import { refuseFrames } from '@parley/server/http/artifact-frames';
import { Hono } from 'hono';
import { expect, test } from 'vitest';

const FILES = [
  '/artifact/still.html',
  '/artifact/still.js',
  '/artifact/frame.html',
  '/artifact/parts/react-abc1234.js',
];

test.each([
  [undefined, FILES],
  ['still', FILES.slice(0, 2)],
  ['off', []],
] as const)('with %s these are served: %j', async (level, served) => {
  const hono = new Hono();
  hono.get('/artifact/*', refuseFrames(level));
  hono.get('*', (c) => c.text('here'));
  const responses = await Promise.all(FILES.map((path) => hono.request(path)));
  expect(FILES.filter((_, at) => responses[at]?.ok)).toEqual(served);
});
