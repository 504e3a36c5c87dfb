import { createFairQueue, createSemaphore } from '@parley/server/platform/semaphore';
import { expect, it } from 'vitest';

it('a task that gives up waiting is gone at once and takes no turn from the others', async () => {
  const take = createSemaphore(1);
  let finish = (_result: string) => {};
  const first = new Promise<string>((resolve) => (finish = resolve));
  const leaving = new AbortController();
  const runs = [
    take(() => first),
    take(() => Promise.reject(new Error('It was to be left out')), leaving.signal),
    take(async () => 'third'),
  ];
  leaving.abort(new Error('Alice leaves'));
  await expect(runs[1]).rejects.toThrow('Alice leaves');
  finish('first');
  expect(await Promise.all([runs[0], runs[2]])).toEqual(['first', 'third']);
  expect(await take(async () => 'free again')).toBe('free again');
});

it('nothing begins for a signal that has aborted', async () => {
  const take = createFairQueue(1);
  let begun = 0;
  const run = take('alice', async () => ++begun, AbortSignal.abort(new Error('Alice left')));
  await expect(run).rejects.toThrow('Alice left');
  expect(begun).toBe(0);
  expect(await take('alice', async () => 'free')).toBe('free');
});

it('people take turns, and the tasks of one keep their order', async () => {
  const take = createFairQueue(1);
  const done: string[] = [];
  const tasks = ['alice 1', 'alice 2', 'alice 3', 'bob 1', 'bob 2'];
  await Promise.all(tasks.map((task) => take(task.split(' ')[0] ?? '', async () => done.push(task))));
  expect(done).toEqual(['alice 1', 'alice 2', 'bob 1', 'alice 3', 'bob 2']);
});
