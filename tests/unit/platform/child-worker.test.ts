// Processes that work for the server. They are real ones; no test waits for a limit.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  askWorker,
  createWaitingWorker,
  endWorker,
  nextMessage,
  programBeside,
  startWorker,
} from '@parley/server/platform/processes/child-worker';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createFolder } from '../../support/folders.ts';

const LONG_MS = 600_000;
const never = new AbortController().signal;
const program = join(createFolder(), 'worker.cjs');
writeFileSync(
  program,
  `process.on('message', (order) => {
    if (order === 'exit') process.exit(7);
    if (order === 'evaluate') try { process.send(eval('1')); } catch (error) { process.send(error.name); }
    if (order === 'environment') process.send(Object.keys(process.env));
  });`,
);

describe('a worker', () => {
  it('gets an order and answers it', async () => {
    expect(await askWorker(start(), 'evaluate', never)).toBe('EvalError');
  });

  it('knows nothing of the environment of the server', async () => {
    expect(await askWorker(start(), 'environment', never)).not.toContain('PATH');
  });

  it('has no answer when it ends', async () => {
    const worker = start();
    expect(await askWorker(worker, 'exit', never)).toBeNull();
    expect(await nextMessage(worker)).toBeNull();
    await endWorker(worker);
  });

  it('has no answer when the signal aborts before', async () => {
    const stop = new AbortController();
    const answer = askWorker(start(), 'nothing', stop.signal);
    stop.abort();
    expect(await answer).toBeNull();
    expect(await askWorker(start(), 'evaluate', stop.signal)).toBeNull();
  });

  it('does not answer when its program is missing', async () => {
    const worker = startWorker(new URL('file:///nowhere/at/all.cjs'), 64);
    expect(await askWorker(worker, 'evaluate', never)).toBeNull();
  });

  it('has ended when its end was waited for', async () => {
    const worker = start();
    await Promise.all([endWorker(worker), endWorker(worker)]);
    expect(worker.signalCode).toBe('SIGKILL');
  });

  it.each([
    ['file:///p/server/src/retrieval/extractor.ts', './extract-worker.ts', '/p/server/src/retrieval/extract-worker.ts'],
    ['file:///p/server/src/tools/calculator.ts', './worker.mjs', '/p/server/src/tools/worker.mjs'],
    ['file:///p/server/dist/main.js', './extract-worker.ts', '/p/server/dist/extract-worker.js'],
    ['file:///p/server/dist/chunks/a-B1.js', './worker.mjs', '/p/server/dist/worker.js'],
  ])('of the module %s is found in the sources and in a build', (module, name, path) => {
    expect(programBeside(module, name).pathname).toBe(path);
  });
});

describe('a worker that waits', () => {
  it('is given out once', async () => {
    const waiting = createWaitingWorker(LONG_MS);
    const worker = start();
    expect(waiting.isThere()).toBe(false);
    waiting.put(worker);
    expect(waiting.isThere()).toBe(true);
    expect([waiting.take(), waiting.take()]).toEqual([worker, null]);
    expect(waiting.isThere()).toBe(false);
    expect(await askWorker(worker, 'evaluate', never)).toBe('EvalError');
  });

  it('is not given out for another key', () => {
    const waiting = createWaitingWorker(LONG_MS);
    const worker = start();
    waiting.put(worker, 'alice');
    expect([waiting.take('bob'), waiting.take('alice')]).toEqual([null, worker]);
  });

  it('is not given out when it is about to end', () => {
    const waiting = createWaitingWorker(LONG_MS);
    const worker = start();
    waiting.put(worker);
    worker.kill('SIGKILL');
    expect(waiting.take()).toBeNull();
  });

  it('leaves its place when it ends', async () => {
    const waiting = createWaitingWorker(LONG_MS);
    const worker = start();
    waiting.put(worker);
    worker.kill('SIGKILL');
    await once(worker, 'exit');
    expect(waiting.isThere()).toBe(false);
  });

  it('is ended for another', async () => {
    const waiting = createWaitingWorker(LONG_MS);
    const [first, second] = [start(), start()];
    waiting.put(first);
    waiting.put(second);
    expect(await once(first, 'exit')).toEqual([null, 'SIGKILL']);
    expect(waiting.take()).toBe(second);
  });

  it('is ended when it has waited for too long', async () => {
    const worker = start();
    createWaitingWorker(1).put(worker);
    expect(await once(worker, 'exit')).toEqual([null, 'SIGKILL']);
  });

  it('is ended when its place is', async () => {
    const waiting = createWaitingWorker(LONG_MS);
    const worker = start();
    waiting.put(worker);
    await waiting.end();
    expect(worker.signalCode).toBe('SIGKILL');
    expect(waiting.take()).toBeNull();
  });
});

function start(): ChildProcess {
  const worker = startWorker(pathToFileURL(program), 64);
  onTestFinished(() => void worker.kill('SIGKILL'));
  return worker;
}
