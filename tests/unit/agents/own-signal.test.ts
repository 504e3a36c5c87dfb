import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { calling, createTool, play, saying } from '../../support/tools/agents.ts';

const STEPS = 12;

it('a run of many steps gathers no listeners of the requests that are over', async () => {
  const run = new AbortController();
  const listening: number[] = [];
  const { asked } = await play(
    (_step, nth, signal) => {
      // As SDKs do, which never remove it.
      signal.addEventListener('abort', () => undefined);
      listening.push(getEventListeners(run.signal, 'abort').length);
      return nth < STEPS ? calling(['echo', JSON.stringify({ input: String(nth) })]) : saying('Done.');
    },
    [createTool('echo')],
    { limits: { steps: STEPS + 1 } },
    run.signal,
  );
  expect(asked).toHaveLength(STEPS + 1);
  expect(Math.max(...listening)).toBe(listening[0]);
  expect(getEventListeners(run.signal, 'abort')).toEqual([]);
});

it('a request is aborted with its run, for the same reason', async () => {
  const run = new AbortController();
  const seen: unknown[] = [];
  await play(
    (_step, _nth, signal) => {
      run.abort('stop');
      seen.push(signal.aborted, signal.reason);
      return [];
    },
    [],
    {},
    run.signal,
  );
  expect(seen).toEqual([true, 'stop']);
});

it('a request of a run that is over is aborted from its beginning', async () => {
  const seen: boolean[] = [];
  await play((_step, _nth, signal) => (seen.push(signal.aborted), []), [], {}, AbortSignal.abort('stop'));
  expect(seen).toEqual([true]);
});
