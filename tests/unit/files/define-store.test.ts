// A file store is one file with one definition, a line in the list of stores, a word, and its variables in the example.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from '@parley/server/config/env/env-readers';
import { createLocalStore } from '@parley/server/files/stores/local';
import { STORES } from '@parley/server/files/stores/stores';
import { configureStores, defineStore } from '@parley/server/storage/define-store';
import { describe, expect, it } from 'vitest';

const shelf = defineStore({
  source: 's3',
  env: { SHELF_FOLDER: text, SHELF_LABEL: text },
  needs: ['SHELF_FOLDER'],
  configure: ({ SHELF_FOLDER: folder, SHELF_LABEL: label = 'unnamed' }) => ({ folder, label }),
  create: ({ folder }) => createLocalStore(folder),
});

describe('a store that is defined', () => {
  it('has the settings of its own variables, and is there where they are set', () => {
    const [store] = configureStores([shelf], { SHELF_FOLDER: '/shelf' }, 'local');
    expect(store?.settings).toEqual({ folder: '/shelf', label: 'unnamed' });
    expect(store?.create()).toHaveProperty('read');
    expect(configureStores([shelf], {}, 'local')).toEqual([]);
  });

  it('stops the start where it is chosen without them', () => {
    const start = () => configureStores([shelf], { SHELF_LABEL: 'top' }, 's3');
    expect(start).toThrow('fileStrategy is s3, so SHELF_FOLDER must be set.');
  });
});

const root = join(import.meta.dirname, '../../..');
const product = ['schema/src', 'server/src']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
  .filter((file) => file.endsWith('.ts'))
  .concat('.env.example');

it.each(STORES.map((store) => [store.source, store] as const))('four files name the store %s', (source, { env }) => {
  // The word `openai` names other things, too.
  const word = source === 'openai' ? [] : [`'${source}'`];
  const marks = [`from './${source}.ts'`, 'STORE_SOURCES = [', ...word, ...Object.keys(env).map((key) => `${key}:`)];
  const naming = product.filter((file) => {
    const written = readFileSync(join(root, file), 'utf8');
    const isExample = file === '.env.example' && Object.keys(env).some((key) => written.includes(`${key}=`));
    return isExample || marks.some((mark) => written.includes(mark));
  });
  expect(naming.toSorted()).toEqual([
    '.env.example',
    'schema/src/files/stored-file.ts',
    `server/src/files/stores/${source}.ts`,
    'server/src/files/stores/stores.ts',
  ]);
});
