import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { detectType } from '@parley/server/files/detect-type';
import { strToU8, zipSync, type Zippable } from 'fflate';
import { afterAll, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'parley-types-'));
afterAll(() => rmSync(folder, { recursive: true }));

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const latin1 = (text: string) => Buffer.from(text, 'latin1');
const office = (part: string) =>
  zipSync({ '[Content_Types].xml': strToU8('<Types/>'), '_rels/.rels': strToU8('<r/>'), [part]: strToU8('<x/>') });
const apple = (...names: string[]) => zipSync(Object.fromEntries(names.map((name) => [name, strToU8('x')])));
const tar = Buffer.alloc(1024);
tar.write('ustar', 257, 'latin1');
const ole = latin1('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 and more');
/** A compound file whose directory, in the sector behind the header, has a stream of this name. */
function oleWith(stream: string): Buffer {
  const file = Buffer.alloc(1024);
  ole.copy(file);
  file.writeUInt16LE(9, 30);
  file.writeUInt32LE(0, 48);
  for (const [at, name] of ['Root Entry', stream].entries()) {
    file.write(name, 512 + at * 128, 'utf16le');
    file.writeUInt16LE(name.length * 2 + 2, 512 + at * 128 + 64);
  }
  return file;
}
const mimetype = (type: string, level: 0 | 6): Zippable => ({ mimetype: [strToU8(type), { level }] });
const book = { 'META-INF/container.xml': strToU8('<container/>'), 'OEBPS/content.opf': strToU8('<package/>') };
const OPEN = 'application/vnd.oasis.opendocument';
const open = { 'META-INF/manifest.xml': strToU8('<m/>'), 'content.xml': strToU8('<c/>') };
const brand = (name: string) => latin1(`\0\0\0\x20ftyp${name}\0\0\0\0`);
const bitmap = Buffer.alloc(64);
bitmap.write('BM', 0, 'latin1');
bitmap.writeUInt32LE(40, 14);

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
  ['application/msword', 'old.doc', ole, 'application/msword'],
  ['application/msword', 'renamed.bin', oleWith('WordDocument'), ''],
  ['application/vnd.ms-excel', 'renamed.doc', oleWith('Workbook'), ''],
  ['application/vnd.ms-powerpoint', 'talk.ppt', oleWith('PowerPoint Document'), ''],
  [`${OFFICE}.wordprocessingml.document`, 'locked.docx', oleWith('EncryptedPackage'), ''],
  ['application/vnd.ms-outlook', 'mail.bin', oleWith('__substg1.0_001A001F'), ''],
  ['application/vnd.ms-outlook', 'mail.msg', ole, ''],
  ['application/vnd.apple.pages', 'letter.pages', apple('Index/Document.iwa'), 'application/zip'],
  ['application/vnd.apple.numbers', 'budget.numbers', apple('Index/Document.iwa', 'Index/Tables/Tile.iwa'), ''],
  ['application/vnd.apple.keynote', 'talk.zip', apple('Index/Document.iwa', 'Index/Slide-2.iwa'), ''],
  ['application/vnd.apple.pages', 'old.pages', apple('index.xml'), ''],
  ['application/zip', 'site.zip', apple('index.xml'), ''],
  ['application/onenote', 'notes.one', latin1('\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d\xae\xb1\x53\x78\xd0\x29\x96\xd3'), ''],
  ['application/rtf', 'a.doc', latin1('{\\rtf1\\ansi text}'), 'application/msword'],
  ['image/avif', 'a', brand('avif'), ''],
  ['image/avif', 'a', latin1('\0\0\0\x1cftypmif1\0\0\0\0mif1avif'), ''],
  ['image/heic', 'a.jpg', brand('heic'), 'image/jpeg'],
  ['image/tiff', 'a', latin1('II*\0\x08\0\0\0'), ''],
  ['image/tiff', 'a', latin1('MM\0*\0\0\0\x08'), ''],
  ['image/bmp', 'a', bitmap, ''],
  // Programs that pack books like any archive: the type is not the first entry, or is compressed.
  ['application/epub+zip', 'a.zip', zipSync({ ...book, ...mimetype('application/epub+zip', 0) }), ''],
  ['application/epub+zip', 'a', zipSync({ ...mimetype('application/epub+zip', 6), ...book }), 'application/zip'],
  ['application/epub+zip', 'a', zipSync(book), ''],
  [`${OPEN}.text`, 'a.zip', zipSync({ ...mimetype(`${OPEN}.text`, 0), ...open }), ''],
  [`${OPEN}.spreadsheet`, 'a', zipSync({ ...open, ...mimetype(`${OPEN}.spreadsheet`, 6) }), ''],
  [`${OPEN}.presentation`, 'a.odp', zipSync(open), ''],
  ['application/zip', 'a.txt', zipSync({ 'a.xml': strToU8('<c/>'), 'content.xml': strToU8('<c/>') }), 'text/plain'],
  ['application/pdf', 'a', latin1('\nline\n%PDF-1.4\n%\xe2\xe3\xcf\xd3'), ''],
  ['application/gzip', 'a.tar', gzipSync('x'), 'application/x-tar'],
  ['application/x-tar', 'a', tar, ''],
])('%s is detected by its bytes (%s)', async (type, name, bytes, claimed) => {
  expect(await typeOf(bytes, name, claimed)).toBe(type);
});

it.each<[string, string, string]>([
  ['text/csv', 'table.csv', 'application/vnd.ms-excel'],
  ['text/csv', 'table.csv', ''],
  ['text/x-python', 'a.py', ''],
  ['text/x-python', 'a.bin', 'text/x-python'],
  ['application/json', 'a.json', 'application/octet-stream'],
  ['text/plain', 'a.txt', 'image/png'],
  ['text/plain', 'a.png', 'image/png'],
  ['text/plain', 'a.pdf', 'application/pdf'],
  ['text/plain', 'a.zip', ''],
  ['text/plain', 'Makefile', ''],
  ['text/plain', 'README', 'application/octet-stream'],
  ['text/plain', 'main.rs', 'application/rls-services+xml'],
  ['text/x-go', 'main.go', 'text/x-go; charset=utf-8'],
  ['application/typescript', 'a.ts', 'video/mp2t'],
  ['application/yaml', 'a.yml', 'application/x-yaml'],
  ['application/xml', 'a.svg', 'image/svg+xml'],
  ['text/plain', 'page.tsx', ''],
  ['message/rfc822', 'a.eml', ''],
  ['application/mbox', 'a.mbox', ''],
  ['text/calendar', 'a.ics', 'text/calendar'],
  ['text/vcard', 'a.vcf', 'text/x-vcard'],
  ['application/x-ipynb+json', 'a.ipynb', ''],
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
  ['text/plain', 'without an ending', utf16('Grüße'), ''],
  // 你好 in GB18030, テスト in Shift_JIS, 서울 in EUC-KR
  ['text/plain', 'a.txt', latin1('\xc4\xe3\xba\xc3'), ''],
  ['text/csv', 'a.csv', latin1('\x83e\x83X\x83g\r\n'), ''],
  ['text/markdown', 'a.md', latin1('\xbc\xad\xbf\xef'), ''],
  ['text/csv', 'unmarked.csv', utf16('Name,Ort\r\nAnna,Graz\r\n', ''), ''],
  ['text/plain', 'unmarked.txt', utf16('Grüße', '').swap16(), ''],
  ['text/plain', 'unmarked.txt', utf16('你好，世界。\n今天天气很好。\n', ''), ''],
  ['text/plain', 'unmarked.log', utf16('Смотритель зажёг маяк.\r\n', '').swap16(), ''],
  ['text/plain', 'a.log', latin1('first line of the log\nsec\0ond line\nthird\n'), ''],
  ['text/plain', 'cut-off.log', latin1(`${'the machine runs\n'.repeat(20)}${'\0'.repeat(4096)}`), ''],
  ['text/plain', 'joined.log', Buffer.concat([Buffer.from('Größe '.repeat(20)), latin1('Stra\xdfe\n')]), ''],
  ['text/plain', 'colours.log', Buffer.from('\u001b[31mred\u001b[0m'), ''],
])('text of an older encoding is %s when it is named %s', async (type, name, bytes, claimed) => {
  expect(await typeOf(bytes, name, claimed)).toBe(type);
});

it.each<[string, string, Uint8Array]>([
  ['without an ending of text', 'a.bin', latin1('Gr\xfc\xdfe')],
  ['with a byte that windows-1252 does not have', 'a.txt', latin1('Gr\xfc\xdfe \x81')],
  ['with a control character', 'a.txt', latin1('Gr\xfc\xdfe \x07')],
  ['of UTF-16 without its mark and an ending of text', 'a.bin', utf16('Grüße', '')],
  ['with NUL and no ending of text', 'a.bin', latin1('a line of a log that has a \0 in it\n')],
  ['of small numbers', 'a.txt', Buffer.from(Uint16Array.from({ length: 99 }, (_, n) => n % 17).buffer)],
  ['of UTF-16 with NUL', 'a.txt', utf16('a\0b')],
  ['of UTF-8 with many control characters', 'a.txt', latin1('\x01\x02a\x03')],
  ['of UTF-16 with half a pair', 'a.txt', utf16('a\ud83d b')],
  ['of UTF-16 that is cut off', 'a.txt', utf16('Grüße').subarray(0, -1)],
])('bytes %s are no text', async (_, name, bytes) => {
  expect(await typeOf(bytes, name, 'text/plain')).toBe('application/octet-stream');
});

it('a text that speaks of PDF is no PDF', async () => {
  expect(await typeOf(Buffer.from("if (head.startsWith('%PDF-')) return;"), 'a.js', '')).toBe('text/javascript');
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

async function typeOf(bytes: Uint8Array, name: string, claimed: string): Promise<string> {
  const path = join(folder, 'file');
  await writeFile(path, bytes);
  return detectType(path, name, claimed);
}
