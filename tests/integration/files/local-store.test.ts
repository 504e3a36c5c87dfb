import { randomUUID } from 'node:crypto';
import { mkdtemp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalStore } from '@parley/server/files/stores/local';
import { expect, it } from 'vitest';
import { fileStoreContract } from '../../contracts/file-store.ts';

fileStoreContract('local', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-store-'));
  return {
    store: createLocalStore(join(folder, 'stored')),
    close: () => rm(folder, { recursive: true, force: true }),
  };
});

it('the local store reads and removes nothing outside its folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-store-'));
  await writeFile(join(folder, 'secret'), 'of somebody else');
  const store = createLocalStore(join(folder, 'stored'));
  await expect(store.read('../secret')).rejects.toThrow('leads out of the folder');
  await expect(store.remove('../secret')).rejects.toThrow('leads out of the folder');
  await expect(store.remove('a/../..')).rejects.toThrow('leads out of the folder');
  await rm(folder, { recursive: true });
});

it('the local store follows no symbolic link', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-store-'));
  await writeFile(join(folder, 'secret'), 'of somebody else');
  const stored = join(folder, 'stored');
  await mkdir(stored);
  const key = randomUUID();
  await symlink(join(folder, 'secret'), join(stored, key));
  await expect(createLocalStore(stored).read(key)).rejects.toThrow('ELOOP');
  await rm(folder, { recursive: true });
});
