import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fetchUnredirected, unlessAborted, withDeadline, withTimeout } from '@parley/server/platform/deadline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

describe('a promise with a time limit', () => {
  const never = new Promise<string>(() => {});

  it('keeps its result and its failure', async () => {
    const late = () => {
      throw new Error('It is late');
    };
    expect(await withTimeout(Promise.resolve('in time'), 60_000, late)).toBe('in time');
    await expect(withTimeout(Promise.reject(new Error('It failed')), 60_000, late)).rejects.toThrow('It failed');
  });

  it('ends with something else when it takes too long', async () => {
    expect(await withTimeout(never, 1, () => null)).toBeNull();
    const failing = withTimeout(never, 1, () => {
      throw new Error('It is late');
    });
    await expect(failing).rejects.toThrow('It is late');
  });

  it('troubles no one when it fails after its time', async () => {
    const failure = sleep(20).then(() => Promise.reject(new Error('Too late to matter')));
    expect(await withTimeout(failure, 1, () => 'late')).toBe('late');
    await expect(failure).rejects.toThrow('Too late to matter');
  });
});

describe('a request without redirects', () => {
  let server: Server;
  let url: string;
  let open = 0;
  beforeAll(async () => {
    server = createServer((request, response) => {
      open++;
      response.on('close', () => open--);
      if (request.url === '/away') return void response.writeHead(302, { location: '/' }).end();
      // Signs of life for ever.
      const timer = setInterval(() => response.write(': \n'), 10);
      response.on('close', () => clearInterval(timer));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  it('ends with its signal while its body is read, whatever the garbage collector removes', async () => {
    const stop = new AbortController();
    const reading = readAll(url, stop.signal);
    await expect.poll(() => open).toBe(1);
    for (let n = 0; n < 5; n++) {
      await sleep(50);
      collectGarbage();
    }
    stop.abort('stopped');
    await expect(reading).rejects.toBe('stopped');
    await expect.poll(() => open).toBe(0);
  });

  it('fails with a redirect', async () => {
    await expect(fetchUnredirected(`${url}/away`, {})).rejects.toThrow(TypeError);
    await expect.poll(() => open).toBe(0);
  });
});

async function readAll(url: string, signal: AbortSignal): Promise<void> {
  const response = await fetchUnredirected(url, { signal });
  const chunks = response.body ?? [];
  for await (const chunk of chunks) if (chunk.length === 0) return;
}

describe('work with a signal', () => {
  it('gives its result', async () => {
    await expect(unlessAborted(Promise.resolve(7), new AbortController().signal)).resolves.toBe(7);
  });

  it('is left at once when the signal aborts, though it does not notice', async () => {
    const left = new AbortController();
    const waiting = unlessAborted(new Promise(() => {}), left.signal);
    left.abort('left');
    await expect(waiting).rejects.toBe('left');
    await expect(unlessAborted(new Promise(() => {}), left.signal, () => 'ended')).rejects.toBe('ended');
  });
});
