// Passwords of known breaches, from files of the form that Have I Been Pwned gives out.
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { limits } from '@parley/db/tables/limits';
import { users } from '@parley/db/tables/users';
import { BREACHED } from '@parley/server/auth/password/breached-passwords';
import { loadConfig } from '@parley/server/load-config';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';
import { createFolder } from '../../support/folders.ts';
import { PASSWORD, createAccounts, createBrowser, reasonOfRefusal } from './browser.ts';

const LEAKED = 'the tenth green bottle';
const REFUSED = { type: 'invalid_input', text: BREACHED };

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
afterEach(async () => {
  await database.db.query.delete(users);
  await database.db.query.delete(limits);
});

it.each(['', '.txt'])('a leaked password is refused at registration, with files that end in "%s"', async (ending) => {
  const { deps } = await createAccounts(database.db, { BREACHED_PASSWORDS_DIR: folderOf([LEAKED], ending) });
  expect(await reasonOfRefusal(registration(deps, LEAKED))).toEqual(REFUSED);
  expect(await database.db.query.select().from(users)).toEqual([]);
  expect(await registration(deps, PASSWORD)).toMatchObject({ user: { email: 'alice@example.com' } });
});

it('a leaked password is refused by a change and by a reset, and the link stays valid', async () => {
  const { deps } = await createAccounts(database.db, {
    BREACHED_PASSWORDS_DIR: folderOf([LEAKED]),
    ALLOW_RESET_LINK: 'true',
  });
  const alice = createBrowser(deps);
  await alice.register('alice');
  await (await alice.api()).stepUp.prove({ password: PASSWORD });
  const change = { password: LEAKED, confirm_password: LEAKED };
  expect(await reasonOfRefusal((await alice.api()).changePassword(change))).toEqual(REFUSED);
  const { link } = await (await alice.api()).requestPasswordReset({ email: 'alice@example.com' });
  const { searchParams } = new URL(link);
  const claim = { token: searchParams.get('token') ?? '', userId: searchParams.get('userId') ?? '' };
  const reset = async (password: string) =>
    (await createBrowser(deps).api()).resetPassword({ ...claim, password, confirm_password: password });
  expect(await reasonOfRefusal(reset(LEAKED))).toEqual(REFUSED);
  expect(await reset('another green bottle')).toBeNull();
});

it('a password that is listed with a count of zero, or whose file is missing, is taken', async () => {
  const { deps } = await createAccounts(database.db, { BREACHED_PASSWORDS_DIR: folderOf([LEAKED], '', 0) });
  expect(await registration(deps, LEAKED)).toMatchObject({ user: { name: 'alice' } });
  await database.db.query.delete(users);
  expect(await registration(deps, PASSWORD)).toMatchObject({ user: { name: 'alice' } });
});

it('a folder that is not there stops the start with a sentence', async () => {
  const env = { BREACHED_PASSWORDS_DIR: '/does/not/exist' };
  await expect(loadConfig({ env, cwd: createFolder() })).rejects.toThrow(
    'BREACHED_PASSWORDS_DIR must be a folder: /does/not/exist',
  );
});

async function registration(deps: Parameters<typeof createBrowser>[0], password: string) {
  const form = { name: 'alice', email: 'alice@example.com', password, confirm_password: password };
  return (await createBrowser(deps).api()).register(form);
}

/**
 * Files as the range API answers, one for each prefix of five digits of SHA-1: lines "SUFFIX:COUNT" that end in CRLF.
 * https://haveibeenpwned.com/API/v3#PwnedPasswords
 */
function folderOf(passwords: readonly string[], ending = '', count = 3): string {
  const folder = join(createFolder(), 'breached');
  mkdirSync(folder);
  for (const password of passwords) {
    const hash = createHash('sha1').update(password).digest('hex').toUpperCase();
    const lines = [`${'0'.repeat(35)}:12`, `${hash.slice(5)}:${count}`, `${'F'.repeat(35)}:1`];
    writeFileSync(join(folder, hash.slice(0, 5) + ending), lines.join('\r\n'));
  }
  return folder;
}
