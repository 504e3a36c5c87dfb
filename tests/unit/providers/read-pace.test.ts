import { pacedReads, pauseBetweenReads } from '@parley/server/providers/bounded-body';
import { expect, it } from 'vitest';

it('reads a few answers as they come, and many with pauses that grow to 100 ms', () => {
  expect([1, 10, 50, 110, 210, 5000].map(pauseBetweenReads)).toEqual([0, 0, 20, 50, 100, 100]);
});

it('gives what is read, in order, and errors, with many answers at once', async () => {
  const answers = Array.from({ length: 60 }, (_, n) => {
    const pieces = [`${n} first`, `${n} second`];
    const read = pacedReads(async () => pieces.shift() ?? Promise.reject(new Error(`${n} ended`)));
    return async () => [await read(), await read(), await read().catch(({ message }: Error) => message)];
  });
  const told = await Promise.all(answers.map((readAll) => readAll()));
  expect(told).toEqual(answers.map((_, n) => [`${n} first`, `${n} second`, `${n} ended`]));
});
