import { expect, test } from 'vitest';
import { operatorCommand } from '../../../server/src/config/operator-command.ts';

test.each([
  ['npm run user -- list', 'npm run python-packages', undefined],
  ['node server/dist/commands.js user list', 'node server/dist/commands.js python-packages', false],
])('an operator reads how a command runs: %s', (list, packages, byNpm) => {
  expect(operatorCommand('user', 'list', byNpm)).toBe(list);
  expect(operatorCommand('python-packages', '', byNpm)).toBe(packages);
});
