import { join } from 'node:path';
import type { FileSource } from '@parley/schema/files/stored-file';
import type { Config } from '../../config/config.ts';
import type { FileStore, FileStores } from '../../storage/file-store.ts';
import { createLocalStore } from './local.ts';

/** The store of new files, and those that older files may be in. */
export function createStores({ server, files }: Pick<Config, 'server' | 'files'>): FileStores {
  const local = createLocalStore(join(server.dataDir, 'uploads', 'stored'));
  const stores: FileStore[] = [local, ...files.stores.map((store) => store.create())];
  return {
    current: of(files.strategy),
    all: stores,
    of,
  };

  function of(source: FileSource): FileStore {
    const store = stores.find((one) => one.source === source);
    if (!store) throw new Error(`The file store ${source} is not configured`);
    return store;
  }
}
