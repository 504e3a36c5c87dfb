import { stoppable } from '@parley/server/generation/reply-guard';
import { expect, it } from 'vitest';

const forEver = () => new Promise<never>(() => {});

async function readAll<T>(items: AsyncIterable<T>, into: T[] = []): Promise<T[]> {
  for await (const item of items) into.push(item);
  return into;
}

it('passes everything on, and errors', async () => {
  const { signal } = new AbortController();
  async function* numbers(fails: boolean) {
    yield* [1, 2];
    if (fails) throw new Error('No three');
    yield 3;
  }
  expect(await readAll(stoppable(numbers(false), signal, 0))).toEqual([1, 2, 3]);
  await expect(readAll(stoppable(numbers(true), signal, 0))).rejects.toThrow('No three');
});

it('lets what is stopped end by itself', async () => {
  const stop = new AbortController();
  async function* heeding() {
    yield 'before';
    await new Promise<void>((resolve) => stop.signal.addEventListener('abort', () => resolve()));
    yield 'after';
  }
  const read: string[] = [];
  const reading = readAll(stoppable(heeding(), stop.signal, 60_000), read);
  await expect.poll(() => read).toEqual(['before']);
  stop.abort();
  expect(await reading).toEqual(['before', 'after']);
});

it.each(['before', 'during'])('gives up what ignores a stop %s the reading', async (when) => {
  const stop = new AbortController();
  async function* ignoring() {
    yield 'before';
    await forEver();
  }
  const read: string[] = [];
  if (when === 'before') stop.abort();
  const reading = readAll(stoppable(ignoring(), stop.signal, 10), read);
  stop.abort();
  await expect(reading).rejects.toThrow('did not end within 10 ms');
  expect(read).toEqual(['before']);
});

it('ends its source when the reader leaves, and waits for it', async () => {
  const { signal } = new AbortController();
  let isClosed = false;
  async function* source() {
    try {
      for (;;) yield 'more';
    } finally {
      await Promise.resolve();
      isClosed = true;
    }
  }
  for await (const _ of stoppable(source(), signal, 0)) break;
  expect(isClosed).toBe(true);
});
