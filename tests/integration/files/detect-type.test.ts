import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { detectType } from '@parley/server/files/detect-type';
import { strToU8, zipSync } from 'fflate';
import { afterAll, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'parley-types-'));
afterAll(() => rmSync(folder, { recursive: true }));

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const latin1 = (text: string) => Buffer.from(text, 'latin1');
const office = (part: string) =>
  zipSync({ '[Content_Types].xml': strToU8('<Types/>'), '_rels/.rels': strToU8('<r/>'), [part]: strToU8('<x/>') });
const tar = Buffer.alloc(1024);
tar.write('ustar', 257, 'latin1');
const ole = latin1('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 and more');

it.each<[string, string, Uint8Array, string]>([
  ['image/jpeg', 'a.txt', latin1('\xff\xd8\xff\xe0 JFIF'), 'text/plain'],
  ['image/png', 'a', latin1('\x89PNG\r\n\x1a\n...'), ''],
  ['image/gif', 'a', latin1('GIF89a...'), ''],
  ['image/webp', 'a', latin1('RIFF\x10\0\0\0WEBPVP8 '), ''],
  ['application/pdf', 'a.txt', latin1('%PDF-1.7\n\xff\xfe'), 'text/plain'],
  ['application/zip', 'a', zipSync({ 'a.txt': strToU8('a') }), ''],
  ['application/zip', 'nothing in it', latin1(`PK\x05\x06${'\0'.repeat(18)}`), ''],
  ['application/zip', 'cut off', Buffer.from(office('word/document.xml')).subarray(0, 60), ''],
  [`${OFFICE}.wordprocessingml.document`, 'a.zip', office('word/document.xml'), 'application/zip'],
  [`${OFFICE}.presentationml.presentation`, 'a', office('ppt/presentation.xml'), ''],
  [`${OFFICE}.spreadsheetml.sheet`, 'a', office('xl/workbook.xml'), ''],
  ['application/epub+zip', 'a', zipSync({ mimetype: [strToU8('application/epub+zip'), { level: 0 }] }), ''],
  ['application/vnd.ms-excel', 'old.xls', ole, ''],
  ['application/x-ole-storage', 'old.doc', ole, 'application/msword'],
  ['application/gzip', 'a.tar', gzipSync('x'), 'application/x-tar'],
  ['application/x-tar', 'a', tar, ''],
])('%s is detected by its bytes (%s)', async (type, name, bytes, claimed) => {
  expect(await typeOf(bytes, name, claimed)).toBe(type);
});

it.each<[string | null, string, string]>([
  ['text/csv', 'table.csv', 'application/vnd.ms-excel'],
  ['text/csv', 'table.csv', ''],
  ['text/x-python', 'a.py', ''],
  ['text/x-python', 'a.bin', 'text/x-python'],
  ['application/json', 'a.json', 'application/octet-stream'],
  ['text/plain', 'a.txt', 'image/png'],
  ['application/octet-stream', 'a.png', 'image/png'],
  ['application/octet-stream', 'a.pdf', 'application/pdf'],
  ['application/octet-stream', 'a.zip', ''],
  [null, 'Makefile', ''],
])('text is %s when it is named %s and declared as "%s"', async (type, name, claimed) => {
  expect(await typeOf(Buffer.from('Grüße, 你好'), name, claimed)).toBe(type);
});

it.each([
  ['audio/mpeg', 'a.mp3', 'audio/mpeg'],
  ['application/octet-stream', 'a.txt', 'text/plain'],
  ['application/octet-stream', 'a.png', 'image/png'],
  ['application/octet-stream', 'a', ''],
])('noise is %s when it is named %s', async (type, name, claimed) => {
  expect(await typeOf(latin1('\x01\xff\xfe\xfd'), name, claimed)).toBe(type);
  expect(await typeOf(latin1('text\0with NUL'), name, claimed)).toBe(type);
});

const utf16 = (text: string, mark = '\ufeff') => Buffer.from(`${mark}${text}`, 'utf16le');

it.each<[string, string, Uint8Array, string]>([
  ['text/plain', 'a.txt', latin1('Gr\xfc\xdfe \x93quoted\x94 \x80 5'), ''],
  ['text/csv', 'table.csv', latin1('Stra\xdfe;Ort\r\n'), 'application/vnd.ms-excel'],
  ['text/plain', 'a.txt', utf16('Grüße, 你好\r\n'), 'text/plain'],
  ['text/csv', 'table.csv', utf16('Grüße').swap16(), ''],
])('text of an older encoding is %s when it is named %s', async (type, name, bytes, claimed) => {
  expect(await typeOf(bytes, name, claimed)).toBe(type);
});

it.each<[string, string, Uint8Array]>([
  ['without an ending of text', 'a.bin', latin1('Gr\xfc\xdfe')],
  ['with a byte that windows-1252 does not have', 'a.txt', latin1('Gr\xfc\xdfe \x81')],
  ['with a control character', 'a.txt', latin1('Gr\xfc\xdfe \x07')],
  ['of UTF-16 without its mark', 'a.txt', utf16('Grüße', '')],
  ['of UTF-16 with NUL', 'a.txt', utf16('a\0b')],
  ['of UTF-16 with half a pair', 'a.txt', utf16('a\ud83d b')],
  ['of UTF-16 that is cut off', 'a.txt', utf16('Grüße').subarray(0, -1)],
])('bytes %s are no text', async (_, name, bytes) => {
  expect(await typeOf(bytes, name, 'text/plain')).toBe('application/octet-stream');
});

it('a long text is read to its end, even with a character split between two chunks', async () => {
  const text = `${'x'.repeat(256 * 1024 - 1)}ü`;
  expect(await typeOf(Buffer.from(text), 'a.txt', '')).toBe('text/plain');
  expect(await typeOf(Buffer.concat([Buffer.from(text), latin1('\xff\x01')]), 'a.txt', '')).toBe(
    'application/octet-stream',
  );
});

it('the sizes declared in a zip archive are not trusted', async () => {
  const bytes = Buffer.from(office('word/document.xml'));
  const end = bytes.length - 22;
  for (const [at, value] of [
    [12, 0xffffffff],
    [16, 0xffffffff],
  ] as const) {
    const lying = Buffer.from(bytes);
    lying.writeUInt32LE(value, end + at);
    expect(await typeOf(lying, 'a', '')).toMatch(/^application\/(zip|vnd\..+)$/);
  }
});

async function typeOf(bytes: Uint8Array, name: string, claimed: string): Promise<string | null> {
  const path = join(folder, 'file');
  await writeFile(path, bytes);
  return detectType(path, name, claimed);
}
