import { isResetValid } from '@parley/server/auth/reset/reset-links';
import { createUser } from '@parley/server/auth/users';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../../support/command.ts';
import { createTestDatabase } from '../../support/database.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let userId = '';

beforeAll(async () => {
  database = await createTestDatabase();
  userId = (await createUser(database.db, { email: 'alice@example.com', name: 'Alice' }))?.id ?? '';
});
afterAll(() => database.drop());

test('reset-link prints a valid link for an account', async () => {
  const { code, stdout, stderr } = await resetLink(['Alice@Example.com'], { DOMAIN_CLIENT: 'https://chat.example/' });
  expect([code, stderr]).toEqual([0, '']);
  const [said, link = ''] = stdout.trimEnd().split('\n');
  expect(said).toBe('For Alice@Example.com, good once within 30 minutes:');
  expect(link).toMatch(/^https:\/\/chat\.example\/reset-password\?token=[\da-f]{64}&userId=/);
  const { searchParams } = new URL(link);
  expect(searchParams.get('userId')).toBe(userId);
  expect(await isResetValid(database.db, { userId, token: searchParams.get('token') ?? '' })).toBe(true);
});

test.each([
  [[], {}, 'Usage: npm run user -- reset-link <email>'],
  [['nobody@example.com'], {}, 'Nobody has an account with the e-mail address nobody@example.com.'],
  [['alice@example.com'], { ALLOW_EMAIL_LOGIN: 'false' }, 'ALLOW_EMAIL_LOGIN is false: a link would lead nowhere.'],
])('%j with %j is answered with one sentence', async (args, env, sentence) => {
  expect(await resetLink(args, env)).toEqual({ code: 1, stdout: '', stderr: `${sentence}\n` });
});

function resetLink(args: string[], env: Record<string, string>) {
  return runCommand(['reset-link', ...args], database.connection.database, env);
}
