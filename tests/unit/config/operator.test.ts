import { createProgress } from '@parley/server/config/operator';
import { expect, test } from 'vitest';

test('a log gets a line a second while something long runs, and none about what ends at once', () => {
  const { progress, written, pass } = open({});
  progress.show('Saving users: 1 rows', 'the database');
  pass(0.5);
  expect(written()).toEqual('');
  pass(0.6);
  expect(written()).toEqual('Saving users: 1 rows (1 s)\n');
  progress.show('Saving users: 2 rows', 'the database');
  progress.show('Saving users: 3 rows', 'the database');
  expect(written()).toEqual('');
  pass(1);
  expect(written()).toEqual('Saving users: 3 rows (2 s)\n');
});

test('a command names what it waits for when nothing moves, and repeating the same words is no movement', () => {
  const { progress, written, pass } = open({});
  progress.show('Saving users: 1 rows', 'the database at db/parley');
  for (let second = 0; second < 9; second += 1) {
    pass(1);
    progress.show('Saving users: 1 rows', 'the database at db/parley');
  }
  written();
  pass(1);
  expect(written()).toEqual('Waiting for the database at db/parley (10 s): Saving users: 1 rows\n');
  progress.show('Saving users: 2 rows', 'the database at db/parley');
  pass(1);
  expect(written()).toEqual('Saving users: 2 rows (11 s)\n');
});

test('a command mentions a short step only when it takes longer', () => {
  const { progress, written, pass } = open({});
  progress.show(null, 'the database at db/parley');
  pass(2);
  expect(written()).toEqual('');
  pass(2);
  expect(written()).toEqual('Waiting for the database at db/parley (4 s)\n');
});

test('a terminal has one line, which is rewritten, fits, and is empty at the end', () => {
  const { progress, written, pass } = open({ isTTY: true, columns: 20 });
  progress.show('Saving users: 1 rows of them', 'the database');
  expect(written()).toEqual('\r\u001b[2KSaving users: 1 row');
  progress.show('Saving users: 2 rows of them', 'the database');
  expect(written()).toEqual('');
  pass(1);
  expect(written()).toEqual('\r\u001b[2KSaving users: 2 row');
  progress.clear();
  progress.clear();
  expect(written()).toEqual('\r\u001b[2K');
});

/** `pass` lets so many seconds go by and ticks; `written` is what came since it was last asked. */
function open(terminal: { isTTY?: boolean; columns?: number }) {
  let text = '';
  let now = 0;
  const progress = createProgress({ ...terminal, write: (more: string) => (text += more) }, () => now);
  return {
    progress,
    pass(seconds: number) {
      now += seconds * 1000;
      progress.tick();
    },
    written() {
      const since = text;
      text = '';
      return since;
    },
  };
}
