// What an operator runs in a container, from exactly the files of an image: no sources, no packages of developers.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '@parley/schema/catalog/startup';
import { createUser, findUserByEmail } from '@parley/server/auth/users';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { balanceOf } from '../../support/credits.ts';
import { copyTemplate, createTestDatabase } from '../../support/database.ts';
import { createFolder } from '../../support/folders.ts';
import { withoutProgress } from '../../support/command.ts';
import { copyImage } from '../../support/image/image.ts';

const dataDir = createFolder();
let image = '';
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let userId = '';

beforeAll(async () => {
  image = await copyImage();
  database = await createTestDatabase();
  userId = (await createUser(database.db, { email: 'alice@example.com', name: 'Alice' }))?.id ?? '';
}, 120_000);
afterAll(() => database.drop());

test('add-balance', async () => {
  const { code, stdout, stderr } = await run(['add-balance', 'alice@example.com', '2500']);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('alice@example.com was given 2500 credits and now has 2500.');
  expect(await balanceOf(database.db, userId)).toMatchObject({ credits: 2500 });
});

test('reset-link', async () => {
  expect((await run(['reset-link', 'alice@example.com'])).stdout).toMatch(
    /\/reset-password\?token=[\da-f]{64}&userId=/,
  );
});

test('user', async () => {
  expect(await run(['user', 'add', 'carol@example.com', 'Carol'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('/reset-password?token='),
  });
  expect((await run(['user', 'list', 'carol'])).stdout).toMatch(/^carol@example.com\tCarol\tUSER\tactive\t/);
});

test('import-librechat', async () => {
  const folder = createFolder();
  const user = { _id: { $oid: '65a1b2c3d4e5f60718293a4b' }, email: 'bob@example.com', name: 'Bob', username: 'bob' };
  writeFileSync(join(folder, 'users.json'), `${JSON.stringify({ ...user, provider: 'local', role: 'USER' })}\n`);
  const { code, stderr } = await run(['import-librechat', folder]);
  expect([code, stderr]).toEqual([0, '']);
  expect(await findUserByEmail(database.db, 'bob@example.com')).toMatchObject({ name: 'Bob' });
});

test('python-packages finds the list of its Pyodide', async () => {
  const { code, stderr } = await run(['python-packages', '--from', createFolder(), 'six']);
  expect(code).toBe(1);
  expect(stderr).toMatch(/six-\d.*\.whl cannot be read: ENOENT/);
});

test('backup and restore', async () => {
  const path = join(createFolder(), 'saved.zip');
  expect(await run(['backup', path])).toMatchObject({ code: 0, stderr: '' });
  const target = await copyTemplate();
  const restored = await run(['restore', path], target.connection.database);
  await target.drop();
  expect(restored).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('are restored.') });
});

test('--migrate of the server', async () => {
  const { code, stdout } = await run(['--migrate'], database.connection.database, 'main.js');
  expect([code, stdout]).toEqual([0, `The database has the migrations of ${VERSION}.\n`]);
});

test('a usage is what is typed here', async () => {
  const { code, stderr } = await run(['add-balance']);
  expect(code).toBe(1);
  expect(stderr).toContain('Usage: node server/dist/commands.js add-balance <email> <amount>');
});

test('an unknown command is answered with those that there are', async () => {
  const { code, stderr } = await run(['constructor']);
  expect(code).toBe(1);
  expect(stderr).toContain('There is no command "constructor", only: add-balance, user, reset-link, ');
});

function run(
  command: string[],
  name = database.connection.database,
  program = 'commands.js',
): Promise<{ code: number; stdout: string; stderr: string }> {
  const { folder, user } = inject('database');
  const { PATH = '', HOME = '' } = process.env;
  const address = { PGHOST: folder, PGUSER: user, DATABASE_URL: `postgres:///${name}` };
  const env = { PATH, HOME, NODE_ENV: 'production', LOG_LEVEL: 'silent', DATA_DIR: dataDir, ...address };
  return new Promise((resolve) => {
    execFile(process.execPath, [`server/dist/${program}`, ...command], { cwd: image, env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr: withoutProgress(stderr) }),
    );
  });
}
