import { setTimeout as sleep } from 'node:timers/promises';
import { withDeadline } from '@parley/server/platform/deadline';
import { describe, expect, it } from 'vitest';
import { collectGarbage } from '../../support/collect-garbage.ts';

describe('a deadline', () => {
  it('fires, whatever the garbage collector removes', async () => {
    const signal = withDeadline(100, new AbortController().signal);
    await sleep(20);
    collectGarbage();
    await expect.poll(() => signal.aborted).toBe(true);
    expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
  });

  it('notifies its listeners', async () => {
    let isOver = false;
    withDeadline(100, undefined).addEventListener('abort', () => (isOver = true));
    await sleep(20);
    collectGarbage();
    await expect.poll(() => isOver).toBe(true);
  });

  it('fires early with another signal', () => {
    const left = new AbortController();
    const signal = withDeadline(60_000, left.signal);
    expect(signal.aborted).toBe(false);
    left.abort('left');
    expect(signal).toMatchObject({ aborted: true, reason: 'left' });
  });
});
