import { setTimeout as sleep } from 'node:timers/promises';
import { withDeadline } from '@parley/server/deadline';
import { describe, expect, it } from 'vitest';
import { collectGarbage } from '../support/collect-garbage.ts';

describe('a deadline', () => {
  it('comes, whatever the garbage collector took', async () => {
    const signal = withDeadline(100, new AbortController().signal);
    await sleep(20);
    collectGarbage();
    await expect.poll(() => signal.aborted, { timeout: 5000 }).toBe(true);
    expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
  });

  it('comes to those who listen', async () => {
    let isOver = false;
    withDeadline(100, undefined).addEventListener('abort', () => (isOver = true));
    await sleep(20);
    collectGarbage();
    await expect.poll(() => isOver, { timeout: 5000 }).toBe(true);
  });

  it('comes early with another signal', () => {
    const left = new AbortController();
    const signal = withDeadline(60_000, left.signal);
    expect(signal.aborted).toBe(false);
    left.abort('left');
    expect(signal).toMatchObject({ aborted: true, reason: 'left' });
  });
});
