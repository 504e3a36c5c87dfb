// Files that arrive, on a real disk.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { arrivalsFolder, receive, TooLarge, withArrival } from '@parley/server/storage/arrivals';
import { expect, it } from 'vitest';
import { createFolder } from '../../support/folders.ts';

const pieces = ['The lighthouse ', 'stands on ', 'the cliff.'].map((text) => Buffer.from(text));
const whole = Buffer.concat(pieces);
const hash = createHash('sha256').update(whole).digest('hex');

it.each([
  ['a list', () => pieces],
  ['a generator', () => generate()],
  ['a stream', () => Readable.from(pieces, { objectMode: false })],
])('%s is written, counted and hashed', async (_name, chunks) => {
  const path = join(createFolder(), 'file');
  expect(await receive(chunks(), path, whole.length)).toEqual({ bytes: whole.length, hash });
  expect(readFileSync(path)).toEqual(whole);
});

it('a file beyond its size is refused before the rest of it is read', async () => {
  let read = 0;
  const endless = async function* () {
    for (;;) {
      read++;
      yield whole;
    }
  };
  const max = whole.length + 1;
  const refused = receive(endless(), join(createFolder(), 'file'), max);
  await expect(refused).rejects.toThrow(TooLarge);
  const atRefusal = read;
  await new Promise((resolve) => setImmediate(resolve));
  expect(read).toBe(atRefusal);
});

it('a failure of the sender is that of the file', async () => {
  await expect(receive(generate(new Error('The sender left')), join(createFolder(), 'file'))).rejects.toThrow(
    'The sender left',
  );
});

it('a file that is there is not replaced', async () => {
  const path = join(createFolder(), 'file');
  writeFileSync(path, 'here');
  await expect(receive(pieces, path)).rejects.toThrow('EEXIST');
  expect(readFileSync(path, 'utf8')).toBe('here');
});

it('an arriving file is removed afterward, even after a failure', async () => {
  const config = { server: { dataDir: createFolder() } } as Parameters<typeof withArrival>[0];
  const paths: string[] = [];
  const arrive = async (path: string) => {
    paths.push(path);
    await receive(pieces, path);
    expect(existsSync(path)).toBe(true);
  };
  await withArrival(config, arrive);
  await expect(
    withArrival(config, async (path) => {
      await arrive(path);
      throw new Error('It is no picture');
    }),
  ).rejects.toThrow('It is no picture');
  expect(new Set(paths).size).toBe(2);
  expect(readdirSync(arrivalsFolder(config))).toEqual([]);
});

async function* generate(failure?: Error) {
  yield* pieces;
  if (failure) throw failure;
}
