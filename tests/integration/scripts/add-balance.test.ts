import { createUser } from '@parley/server/auth/users';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../../support/command.ts';
import { createTestDatabase } from '../../support/database.ts';
import { balanceOf, expectBooksToAgree } from '../../support/credits.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let userId = '';

beforeAll(async () => {
  database = await createTestDatabase();
  userId = (await createUser(database.db, { email: 'alice@example.com', name: 'Alice' }))?.id ?? '';
});
afterAll(() => database.drop());

test('add-balance adds credits, a thousand by default', async () => {
  expect(await addBalance(['alice@example.com'])).toEqual({
    code: 0,
    stdout:
      'alice@example.com was given 1000 credits and now has 1000. Nothing is charged until CHECK_BALANCE is true.\n',
    stderr: '',
  });
  const more = await addBalance(['Alice@Example.com', '2500'], { CHECK_BALANCE: 'true' });
  expect(more.stdout).toBe('Alice@Example.com was given 2500 credits and now has 3500.\n');
  expect(await balanceOf(database.db, userId)).toEqual({ credits: 3500, reserved: 0 });
  await expectBooksToAgree(database.db, userId);
});

test.each([
  [[], 'Whose balance? Usage: npm run add-balance -- <email> <amount>'],
  [['nobody@example.com'], 'Nobody has an account with the e-mail address nobody@example.com.'],
  [['alice@example.com', '12.5'], 'The amount must be a whole number of credits from 1 to 1000000000, not "12.5".'],
  [['alice@example.com', '-5'], 'The amount must be a whole number of credits from 1 to 1000000000, not "-5".'],
])('%j is answered with one sentence', async (args, sentence) => {
  expect(await addBalance(args)).toEqual({ code: 1, stdout: '', stderr: `${sentence}\n` });
});

function addBalance(args: string[], env?: Record<string, string>) {
  return runCommand(['add-balance', ...args], database.connection.database, env);
}
