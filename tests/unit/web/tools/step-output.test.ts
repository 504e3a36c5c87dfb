import { expect, test } from 'vitest';
import { shownOutput } from '../../../../web/src/chat/steps/step-output.ts';
import { call } from './calls.ts';

const ran = (log: string, output: string) => call({ output, outputs: [{ type: 'logs', text: log }] });

test.each([
  ['what the log shows already', 'one\n', 'one', ''],
  [
    'the words of a step that raised a second time',
    'Traceback\nValueError: no\n',
    'error processing tool: Traceback\nValueError: no\n\n[This is a new Python process: variables of earlier calls are gone, files in /mnt/data are there.]',
    '',
  ],
  ['which files were saved', 'ok', 'ok\n[Saved in /mnt/data and shown to the user: "a.png".]', ''],
])('a step does not show %s', (_what, log, output, shown) => {
  expect(shownOutput(ran(log, output))).toBe(shown);
});

test('a step shows what the log does not say', () => {
  expect(shownOutput(ran('one', 'error processing tool: one\n[It took too long and was ended.]'))).toBe(
    'It took too long and was ended.',
  );
  expect(shownOutput(call({ output: 'error processing tool: no such page' }))).toBe('no such page');
  expect(shownOutput(ran('one', 'two'))).toBe('two');
});
