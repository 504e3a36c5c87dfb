import { closeInOrder, closeTogether } from '@parley/server/shutdown';
import pino from 'pino';
import { expect, it } from 'vitest';

function recordLog() {
  const lines: { event: string; step?: string; path?: string }[] = [];
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) });
  return { log, lines };
}

const never = () => new Promise<void>(() => {});

it('closes one after the other, in the given order', async () => {
  const closed: string[] = [];
  const step = (name: string) => ({
    name,
    close: async () => {
      await Promise.resolve();
      closed.push(name);
    },
  });
  await closeInOrder([step('sockets'), step('answers'), step('database')], null);
  expect(closed).toEqual(['sockets', 'answers', 'database']);
});

it('leaves a step that hangs, names it in the log, and carries out the next ones', async () => {
  const { log, lines } = recordLog();
  let isClosed = false;
  await closeInOrder(
    [
      { name: 'titles', close: never, maxMs: 10 },
      { name: 'database', close: () => void (isClosed = true) },
    ],
    log,
  );
  expect(isClosed).toBe(true);
  expect(lines).toMatchObject([{ event: 'server.step_left', step: 'titles' }]);
});

it('logs a step that fails, and carries out the next ones', async () => {
  const { log, lines } = recordLog();
  let isClosed = false;
  const fail = async () => {
    throw new Error('The pipe is broken');
  };
  await closeInOrder(
    [
      { name: 'tools', close: fail },
      { name: 'database', close: () => void (isClosed = true) },
    ],
    log,
  );
  expect(isClosed).toBe(true);
  expect(lines).toMatchObject([{ event: 'server.failed', path: 'tools' }]);
});

it('closes together what does not depend on each other: one that hangs holds back no other', async () => {
  const { log, lines } = recordLog();
  const closed: string[] = [];
  await closeTogether(
    [
      { name: 'mail', close: never, maxMs: 10 },
      { name: 'titles', close: () => void closed.push('titles') },
      { name: 'tools', close: () => void closed.push('tools') },
    ],
    log,
  );
  expect(closed).toEqual(['titles', 'tools']);
  expect(lines).toMatchObject([{ event: 'server.step_left', step: 'mail' }]);
});
