// Processes that wait for the next file. They are real ones and only wait.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSpareWorker } from '@parley/server/retrieval/spare-worker';
import { expect, it, onTestFinished } from 'vitest';
import { createFolder } from '../../support/folders.ts';

const LONG_MS = 600_000;
const program = join(createFolder(), 'waits.cjs');
writeFileSync(program, "process.on('message', (order) => order === 'file' && process.exit(7));");

it('warms up one process and gives it out once', async () => {
  const { started, warmed, spare } = create(LONG_MS);
  spare.prepare();
  spare.prepare();
  expect(started).toHaveLength(1);
  const [first, second] = [spare.take(), spare.take()];
  expect(started).toEqual([first, second]);
  expect(warmed).toEqual([first]);
  const ended = once(first, 'exit');
  first.send('file');
  expect(await ended).toEqual([7, null]);
});

it('starts another in the place of one that ended or is about to', async () => {
  const { started, spare } = create(LONG_MS);
  spare.prepare();
  const [first] = started as [ChildProcess];
  const ended = once(first, 'exit');
  first.kill('SIGKILL');
  expect(spare.take()).not.toBe(first);
  await ended;
  spare.prepare();
  expect(spare.take()).toBe(started[2]);
});

it('ends a process that waits for too long', async () => {
  const { started, spare } = create(1);
  spare.prepare();
  const [worker] = started as [ChildProcess];
  expect(await once(worker, 'exit')).toEqual([null, 'SIGKILL']);
});

it('ends the process that waits when it is closed, and starts no more ahead', async () => {
  const { started, spare } = create(LONG_MS);
  spare.prepare();
  await spare.close();
  expect(started[0]?.signalCode).toBe('SIGKILL');
  spare.prepare();
  expect(started).toHaveLength(1);
});

function create(keepMs: number) {
  const started: ChildProcess[] = [];
  const warmed: ChildProcess[] = [];
  const start = () => {
    const worker = fork(program, { env: {} });
    started.push(worker);
    return worker;
  };
  onTestFinished(() => started.forEach((worker) => worker.kill('SIGKILL')));
  return { started, warmed, spare: createSpareWorker({ start, warmUp: (worker) => warmed.push(worker), keepMs }) };
}
