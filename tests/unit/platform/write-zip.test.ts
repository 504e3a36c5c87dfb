import { randomBytes } from 'node:crypto';
import { zip, type ZipEntry } from '@parley/server/platform/zip/write-zip';
import { unzipSync } from 'fflate';
import { expect, it } from 'vitest';

async function* given<T>(...items: T[]): AsyncGenerator<T> {
  yield* items;
}

async function written(entries: AsyncIterable<ZipEntry>): Promise<Record<string, Uint8Array>> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of zip(entries)) chunks.push(chunk);
  return unzipSync(Buffer.concat(chunks));
}

it('another program unpacks what it packs', async () => {
  const picture = randomBytes(300_000);
  const text = 'ein längerer Text '.repeat(50_000);
  const files = await written(
    given<ZipEntry>(
      {
        name: 'a/b.txt',
        chunks: given(Buffer.from(text.slice(0, 1000)), Buffer.from(text.slice(1000))),
        isCompressed: true,
      },
      { name: 'Bild ü.png', chunks: given(picture), isCompressed: false },
      { name: 'empty', chunks: given(), isCompressed: true },
    ),
  );
  expect(Object.keys(files)).toEqual(['a/b.txt', 'Bild ü.png', 'empty']);
  expect(Buffer.from(files['a/b.txt'] ?? []).toString()).toBe(text);
  expect(Buffer.from(files['Bild ü.png'] ?? []).equals(picture)).toBe(true);
  expect(files.empty).toHaveLength(0);
});

it('more entries than the old format can count are written', async () => {
  async function* many(): AsyncGenerator<ZipEntry> {
    for (let index = 0; index < 70_000; index += 1)
      yield { name: `${index}`, chunks: given(Buffer.from(`text ${index}`)), isCompressed: false };
  }
  const files = await written(many());
  expect(Object.keys(files)).toHaveLength(70_000);
  expect(Buffer.from(files['69999'] ?? []).toString()).toBe('text 69999');
});

it('an entry that cannot be read ends it with that error', async () => {
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('the beginning');
    throw new Error('gone');
  }
  for (const isCompressed of [true, false])
    await expect(written(given<ZipEntry>({ name: 'a', chunks: broken(), isCompressed }))).rejects.toThrow('gone');
});
