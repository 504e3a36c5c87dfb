// Archives and XML that want to take more than they are given.
import { openZip } from '@parley/server/platform/zip/read-zip';
import { zipSync } from 'fflate';
import { describe, expect, it, vi } from 'vitest';
import {
  extractHere,
  makeDocx,
  makeXlsx,
  makeZip,
  paragraph,
  textOf,
  types,
  writeDocument,
} from '../../support/retrieval/documents.ts';

const refused = (reason: string) => ({ type: 'unreadable', reason });

describe('an archive', () => {
  const text = Buffer.from('some text '.repeat(100));

  it.each([0, 6] as const)('is read, packed at level %i', async (level) => {
    const zip = await openZip(writeDocument(zipSync({ a: [text, { level }], b: new Uint8Array() })));
    expect(zip.names()).toEqual(['a', 'b']);
    expect(await readAll(zip.read('a'))).toEqual(text);
    expect(await readAll(zip.read('b'))).toEqual(Buffer.alloc(0));
  });

  it('is unpacked no further than its limit, over all its entries', async () => {
    const path = writeDocument(zipSync({ a: text, b: text }));
    const zip = await openZip(path, { entries: 10, unpacked: 1500, directory: 1000 });
    await readAll(zip.read('a'));
    await expect(readAll(zip.read('b'))).rejects.toMatchObject({ reason: 'too_large' });
  });

  it('is read in slices when its directory is large, and others get their turns in between', async () => {
    const path = writeDocument(zipSync(Object.fromEntries(Array.from({ length: 9_000 }, (_, at) => [`e${at}`, text]))));
    const reads = vi.spyOn(Buffer.prototype, 'readUInt16LE');
    const slices: number[] = [];
    let next = setImmediate(function turn() {
      slices.push(reads.mock.calls.length - slices.reduce((sum, one) => sum + one, 0));
      next = setImmediate(turn);
    });
    const zip = await openZip(path).finally(() => clearImmediate(next));
    const all = reads.mock.calls.length;
    vi.restoreAllMocks();
    expect(zip.names()).toHaveLength(9_000);
    expect(all).toBeGreaterThanOrEqual(9_000);
    expect(Math.max(...slices) * 5).toBeLessThan(all);
  });

  it.each([
    ['is longer than it says', -900],
    ['is shorter than it says', 900],
  ])('whose entry %s is damaged', async (_name, by) => {
    const bytes = Buffer.from(zipSync({ a: text }));
    const directory = bytes.lastIndexOf('PK\x01\x02', undefined, 'latin1');
    bytes.writeUInt32LE(text.length + by, directory + 24);
    const zip = await openZip(writeDocument(bytes));
    await expect(readAll(zip.read('a'))).rejects.toMatchObject({ reason: 'damaged' });
  });

  it("is damaged when an entry's bytes don't match its checksum", async () => {
    const bytes = Buffer.from(zipSync({ a: [text, { level: 0 }] }));
    bytes.write('X', 40);
    const zip = await openZip(writeDocument(bytes));
    expect(zip.sizeOf('a')).toEqual({ packed: text.length, unpacked: text.length });
    await expect(readAll(zip.read('a'))).rejects.toMatchObject({ reason: 'damaged' });
  });

  it('is refused by its directory when it has too many entries, whether the directory says how many or not', async () => {
    const record = Buffer.alloc(51);
    record.write('PK\x01\x02', 'latin1');
    record.writeUInt16LE(5, 28);
    const directory = Buffer.concat(
      Array.from({ length: 10_001 }, (_, n) => {
        record.write(String(n).padStart(5, '0'), 46);
        return Buffer.from(record);
      }),
    );
    for (const told of [65_535, 10_001, 3]) {
      const end = Buffer.alloc(22);
      end.write('PK\x05\x06', 'latin1');
      end.writeUInt16LE(told, 10);
      end.writeUInt32LE(directory.length, 12);
      const path = writeDocument(Buffer.concat([directory, end]));
      await expect(openZip(path)).rejects.toMatchObject({ reason: 'too_large' });
    }
  });

  it('is cut off anywhere and stays an outcome', async () => {
    const whole = makeDocx(paragraph('Some text. '.repeat(50)));
    for (let length = 0; length < whole.length; length += 53) {
      expect(await extractHere(whole.subarray(0, length), types.docx)).toEqual(refused('damaged'));
    }
  });

  it('says when an entry is broken', async () => {
    const bytes = Buffer.from(zipSync({ a: text }));
    bytes.fill(0xff, 40, 50);
    const zip = await openZip(writeDocument(bytes));
    await expect(readAll(zip.read('a'))).rejects.toThrow();
  });

  it('says when it has a password; an office document with a password is no archive at all', async () => {
    const bytes = Buffer.from(makeDocx(paragraph('text')));
    const directory = bytes.indexOf('PK\x01\x02', undefined, 'latin1');
    bytes.writeUInt16LE(bytes.readUInt16LE(directory + 8) | 1, directory + 8);
    expect(await extractHere(bytes, types.docx)).toEqual(refused('encrypted'));
    const ole = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2000)]);
    expect(await extractHere(ole, types.docx)).toEqual(refused('encrypted'));
  });

  it('treats names that lead elsewhere as plain names', async () => {
    const file = makeZip({
      '../../etc/passwd': 'x',
      'word/document.xml': `<w:document><w:body>${paragraph('text')}</w:body></w:document>`,
      'word/_rels/document.xml.rels':
        '<Relationships><Relationship Id="a" Type="/styles" Target="../../../../etc/passwd"/></Relationships>',
    });
    expect(textOf(await extractHere(file, types.docx))).toBe('text');
  });
});

describe('a document that is a bomb', () => {
  it('is refused before it is unpacked', async () => {
    const bytes = Buffer.from(makeZip({ 'word/document.xml': Buffer.alloc(1_000_000, 32) }));
    bytes.writeUInt32LE(100_000_001, bytes.lastIndexOf('PK\x01\x02', undefined, 'latin1') + 24);
    expect(await extractHere(bytes, types.docx)).toEqual(refused('too_large'));
  });

  it('is refused where few characters stand for many cells', async () => {
    const strings = `<sst><si><t>${'x'.repeat(32_000)}</t></si></sst>`;
    const row = `<row>${'<c t="s"><v>0</v></c>'.repeat(4)}</row>`;
    const file = makeXlsx(row.repeat(1000), { 'xl/sharedStrings.xml': strings });
    expect(await extractHere(file, types.xlsx)).toEqual(refused('too_large'));
  });

  it('has no entities of its own', async () => {
    const levels = Array.from({ length: 9 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`).join('');
    const bomb = `<!DOCTYPE w [<!ENTITY e0 "ha">${levels}<!ENTITY f SYSTEM "file:///etc/passwd">]>`;
    for (const entity of ['e9', 'f']) {
      const file = makeZip({
        'word/document.xml': `${bomb}<w:document><w:body>${paragraph(`&${entity};`)}</w:body></w:document>`,
      });
      expect(await extractHere(file, types.docx)).toEqual(refused('damaged'));
    }
  });

  it('is refused where it is nested too deep', async () => {
    const deep = 100_000;
    const file = makeDocx(`${'<w:p>'.repeat(deep)}${'</w:p>'.repeat(deep)}`);
    expect(await extractHere(file, types.docx)).toEqual(refused('damaged'));
  });

  it('is read as a web page however deep it is nested', async () => {
    const deep = 200_000;
    expect(textOf(await extractHere(`${'<div><b><table>'.repeat(deep)}text`, types.html))).toBe('text');
  });
});

async function readAll(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}
