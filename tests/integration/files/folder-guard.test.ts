// Processes on one database with files in folders of this machine: one folder is right, another is refused.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '@parley/server/load-config';
import { assertSameFolder } from '@parley/server/files/folder-guard';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';
import { createFolder } from '../../support/folders.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
const shared = createFolder();

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const S3 = { S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'k', S3_SECRET_ACCESS_KEY: 's', S3_ENDPOINT: 'http://127.0.0.1:9' };

async function start(folder: string, env: Record<string, string> = { DATABASE_URL: 'postgres:///any' }, cwd = folder) {
  const config = await loadConfig({ env: { DATA_DIR: folder, ...env }, cwd });
  await assertSameFolder(database.db, config);
}

test('two processes that start at once share a folder, and a later one does', async () => {
  await Promise.all([start(shared), start(shared)]);
  await start(shared);
});

test('the server refuses another folder in one sentence, which says what to do', async () => {
  const other = createFolder();
  const id = readFileSync(join(shared, 'uploads/folder-id'), 'utf8');
  await expect(start(other)).rejects.toThrow(
    `The files of this database are in another folder than ${other}/uploads: use S3 (fileStrategy) or share the folder; ` +
      `if its files were moved here on purpose, write ${id} into ${other}/uploads/folder-id.`,
  );
  writeFileSync(join(other, 'uploads/folder-id'), `${id}\n`);
  await start(other);
});

test('the folder of another database is refused', async () => {
  const other = createFolder();
  mkdirSync(join(other, 'uploads'));
  writeFileSync(join(other, 'uploads/folder-id'), 'of another database');
  await expect(start(other)).rejects.toThrow('The files of this database are in another folder');
});

test('nothing is asked where the database is in the folder, or the files are in a bucket', async () => {
  const folder = createFolder();
  await start(folder, {});
  writeFileSync(join(folder, 'parley.yaml'), 'version: 1.0.7\nfileStrategy: s3\n');
  await start(folder, { DATABASE_URL: 'postgres:///any', ...S3 });
});
