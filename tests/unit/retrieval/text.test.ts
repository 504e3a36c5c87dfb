// Plain text, Markdown, CSV, web pages and books.
import { readFileSync } from 'node:fs';
import { decodeText } from '@parley/server/retrieval/extract/encodings/decode';
import { isExtractable, SUPPORTED_TYPES } from '@parley/schema/files/file-types';
import { describe, expect, it } from 'vitest';
import { chunksOf, extractHere, extractPath, makeZip, textOf, types } from '../../support/retrieval/documents.ts';

const shortTexts = JSON.parse(
  readFileSync(new URL('../../fixtures/encodings/short.json', import.meta.url), 'utf8'),
) as { encoding: string; text: string; bytes: string }[];

const long = 'A long sentence about lamps. '.repeat(20).trim();

describe('plain text', () => {
  it.each([
    ['UTF-8', Buffer.from('Größe 日本')],
    ['UTF-8 with a mark', Buffer.from('\ufeffGröße 日本')],
    ['UTF-16, little end first', Buffer.from('\ufeffGröße 日本', 'utf16le')],
    ['UTF-16, big end first', Buffer.from('\ufeffGröße 日本', 'utf16le').swap16()],
  ])('is read as %s', async (_name, bytes) => {
    expect(textOf(await extractHere(bytes, types.plain))).toBe('Größe 日本');
  });

  // What programs on machines of their countries write.
  it.each([
    ['gb18030', '北京的灯塔建于一八八零年，守望者名叫艾达。灯塔的高度为四十二米。'],
    ['big5', '燈塔建於一八八零年，守望者名叫艾達。燈塔的高度為四十二公尺，每天晚上點亮。'],
    ['shift_jis', '灯台は北の崖の上に立っています。番人の名前はアダです。'],
    ['euc-jp', '灯台は北の崖の上に立っています。番人の名前はアダです。'],
    ['euc-kr', '등대는 북쪽 절벽 위에 서 있습니다. 등대지기의 이름은 에이다입니다.'],
    ['windows-1251', 'Маяк стоит на северном утёсе. Смотрителя зовут Ада, высота сорок два метра.'],
    ['windows-1250', 'Latarnia morska stoi na północnej skale i świeci. Strażnik nazywa się Łukasz Żółć.'],
    ['windows-1256', 'المنارة تقف على الجرف الشمالي. اسم الحارس هو عدا.'],
  ])('in %s is read in it, and nobody is told of a guess', async (name, text) => {
    const path = new URL(`../../fixtures/encodings/${name}.txt`, import.meta.url).pathname;
    const outcome = await extractPath(path, types.plain);
    expect(outcome).not.toHaveProperty('encoding');
    expect(textOf(outcome)).toBe(text);
  });

  it.each(shortTexts)('of a few words in $encoding is read, and told as a guess: $text', async ({ text, bytes }) => {
    const outcome = await extractHere(Buffer.from(bytes, 'hex'), types.plain);
    expect(textOf(outcome)).toBe(text);
    expect(outcome).toMatchObject({ encoding: expect.any(String) });
  });

  it.each([
    ['shiftjis.csv', types.csv, '山田太郎,東京'],
    ['eucjp.csv', types.csv, '山田太郎,東京'],
    ['utf16-nobom.csv', types.csv, 'Name,Town\nAnna,Graz'],
    ['nul.txt', types.plain, 'logentry with a NUL'],
  ])('%s is read', async (name, mime, part) => {
    const path = new URL(`../../fixtures/encodings/${name}`, import.meta.url).pathname;
    expect(textOf(await extractPath(path, mime))).toContain(part);
  });

  it('keeps the rest when all but a few bytes are UTF-8', async () => {
    const bytes = Buffer.concat([Buffer.from('Größe 日本\n'.repeat(10)), Buffer.from('Stra\xdfe', 'latin1')]);
    const outcome = await extractHere(bytes, types.plain);
    expect(textOf(outcome)).toContain('Größe 日本');
    expect(outcome).toMatchObject({ encoding: 'utf-8' });
  });

  it('keeps the quotes, dashes and euro sign of windows-1252, even when all of it is decoded at once', async () => {
    const bytes = Buffer.from('\x93Gr\xf6\xdfe\x94 \x96 5 \x80', 'latin1');
    expect((await decodeText(bytes)).text).toBe('“Größe” – 5 €');
  });

  it('so short that its encoding is a guess says which one that is', async () => {
    const outcome = await extractHere(Buffer.from('\xc4\xe3\xba\xc3', 'latin1'), types.plain);
    expect(outcome).toMatchObject({ encoding: expect.any(String) });
  });

  it('is windows-1252 where it is no UTF-8', async () => {
    expect(textOf(await extractHere(Buffer.from('Gr\xf6\xdfe \x80 5', 'latin1'), types.plain))).toBe('Größe € 5');
  });

  it('keeps the indentation of code', async () => {
    const code = 'def f():\n    return 1\n';
    expect(textOf(await extractHere(code, 'text/x-python'))).toBe(code.trimEnd());
  });

  it.each(['application/json', 'application/xml', 'text/x-c++'])('of type %s is read as it is', async (mime) => {
    expect(textOf(await extractHere('<a>{"b": 1}</a>', mime))).toBe('<a>{"b": 1}</a>');
  });

  it('loses no line when it comes in many pieces', async () => {
    const lines = Array.from({ length: 50_000 }, (_, n) => `line ${n} ä`);
    const outcome = await extractHere(lines.join('\r\n'), types.plain);
    const found = new Set(textOf(outcome).split(/[\n]/));
    expect(lines.filter((line) => !found.has(line))).toEqual([]);
  });

  it.each([
    ['a type that is not read', 'application/zip'],
    ['slides of old', 'application/vnd.ms-powerpoint'],
    ['a picture', 'image/png'],
  ])('is not sought in %s', async (_name, mime) => {
    expect(await extractHere('text', mime)).toEqual({ type: 'unreadable', reason: 'unsupported' });
  });
});

it('the type of a file decides whether it can be read', () => {
  expect(Object.values(types).filter((mime) => !isExtractable(mime))).toEqual([]);
  const others = [
    'application/zip',
    'application/x-tar',
    'application/vnd.ms-powerpoint',
    'application/octet-stream',
    'image/png',
  ];
  expect(others.filter(isExtractable)).toEqual([]);
  const accepted = SUPPORTED_TYPES.filter(isExtractable);
  expect(accepted).toContain('text/x-c++');
  expect(accepted).toContain('application/typescript');
});

describe('Markdown', () => {
  it('is read under its headings, code and all', async () => {
    const code = '```sh\n# no heading\n```';
    const text = `# Lamps #\n\n${long}\n\n## Oil\n\n${code}\n\n${long}\n\n# Keepers\n\nAda`;
    expect(chunksOf(await extractHere(text, types.markdown))).toEqual([
      [null, 'Lamps', `# Lamps #\n\n${long}`],
      [null, 'Lamps > Oil', `## Oil\n\n${code}\n\n${long}`],
      [null, 'Keepers', '# Keepers\n\nAda'],
    ]);
  });
});

describe('CSV', () => {
  it('is read as rows under the first', async () => {
    const rows = Array.from({ length: 200 }, (_, n) => `"Ship ${n}",${1800 + n}`);
    const chunks = chunksOf(await extractHere(['Name,Built', ...rows].join('\r\n'), types.csv));
    expect(chunks.filter(([, , body]) => !body.startsWith('Name,Built\n"Ship '))).toEqual([]);
    expect(chunks.flatMap(([, , body]) => body.split('\n').slice(1))).toEqual(rows);
  });

  it('keeps a record together that has line breaks and doubled quotes', async () => {
    const outcome = await extractHere('A,B\n"one ""two""\nthree",4\n5,6', types.csv);
    expect(textOf(outcome)).toBe('A,B\n"one ""two"" three",4\n5,6');
  });

  it('is read even if its quotes are not closed', async () => {
    const rows = Array.from({ length: 5000 }, (_, n) => `row ${n}`);
    const text = textOf(await extractHere(`A\n"open\n${rows.join('\n')}`, types.csv));
    expect(text).toContain('row 0');
    expect(text).toContain('row 4999');
  });

  it('may be a single row', async () => {
    expect(textOf(await extractHere('A,B,C\n', types.csv))).toBe('A,B,C');
  });
});

describe('a web page', () => {
  it('is read as it is shown', async () => {
    const page =
      '<!doctype html><title>Harbour &amp; sea</title><style>p { color: red }</style><script>alert("no")</script>' +
      `<h1>Lamps</h1><p>First<br>line, <b>bold</b>   and\n not.</p><p>${long}</p>` +
      '<ul><li>Ada<li><p>Björn</p></ul><pre>a\n  b</pre>' +
      '<table><thead><tr><th>Year</th><th>Ships</th></tr></thead><tbody><tr><td>1880<td>412</table>' +
      `<h2>Oil</h2><p>${long}<!-- hidden --></p><textarea>typed</textarea><h1>End</h1>Bye`;
    expect(chunksOf(await extractHere(page, types.html))).toEqual([
      [
        null,
        'Harbour & sea > Lamps',
        `Lamps\n\nFirst\nline, bold and not.\n\n${long}\n\n- Ada\n- Björn\n\na\n  b\n\nYear | Ships\n1880 | 412`,
      ],
      [null, 'Harbour & sea > Lamps > Oil', `Oil\n\n${long}`],
      [null, 'Harbour & sea > End', 'End\n\nBye'],
    ]);
  });

  it('has the numbers of its lists, ticks, and the addresses of links that lead out of it', async () => {
    const page =
      '<ol type="a" start="3"><li>Oil<ol><li>whales</li><li value="7">coal</li></ol></li><li>Wick</li></ol><ul><li>Lens</li></ul>' +
      '<p><input type="checkbox" checked>lit <input type=radio>out<input type=text></p>' +
      '<p>See <a href="https://example.org/t">the <b>terms</b></a>, <a href="#top">top</a>, <a href="https://example.org/">example.org</a>.</p>' +
      '<table><tr><td><a href="mailto:ada@example.org">Ada</a></td><td>7</td></tr></table>';
    expect(textOf(await extractHere(page, types.html))).toBe(
      'c. Oil\n\n1. whales\n\n7. coal\n\nd. Wick\n\n- Lens\n\n[x] lit [ ] out\n\n' +
        'See the terms (https://example.org/t), top, example.org.\n\nAda (mailto:ada@example.org) | 7',
    );
  });

  it('is read in the encoding that it declares', async () => {
    const page = Buffer.from('<meta charset="iso-8859-2"><p>\xa3\xf3d\xbc', 'latin1');
    expect(textOf(await extractHere(page, types.html))).toBe('Łódź');
  });
});

describe('a book', () => {
  const chapter = (title: string, body: string) =>
    `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script src="x"/></head><body>${title}<p>${body}</p></body></html>`;
  const parts = {
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
    'OEBPS/book.opf':
      '<package><manifest><item id="a" href="text/a%20b.xhtml" media-type="application/xhtml+xml"/>' +
      '<item id="c" href="text/c.xhtml" media-type="application/xhtml+xml"/><item id="i" href="i.png" media-type="image/png"/>' +
      '<item id="n" href="toc.ncx" media-type="application/x-dtbncx+xml"/></manifest>' +
      '<spine toc="n"><itemref idref="c"/><itemref idref="i"/><itemref idref="a"/></spine></package>',
    'OEBPS/toc.ncx':
      '<ncx><navMap><navPoint><navLabel><text>The end</text></navLabel><content src="text/a%20b.xhtml#top"/></navPoint></navMap></ncx>',
    'OEBPS/text/a b.xhtml': chapter('', `Last &nbsp;words. ${long}`),
    'OEBPS/text/c.xhtml': chapter('<h1>The start</h1>', long),
  };

  it('is read in the order of its chapters, each under its title', async () => {
    expect(chunksOf(await extractHere(makeZip(parts), types.epub))).toEqual([
      [null, 'The start', `The start\n\n${long}`],
      [null, 'The end', `Last words. ${long}`],
    ]);
  });

  it('has the titles of a table of contents of version 3 too, as far as that can be read', async () => {
    const book = parts['OEBPS/book.opf']
      .replace('media-type="application/x-dtbncx+xml"', 'media-type="application/xhtml+xml" properties="x nav"')
      .replace(' toc="n"', '');
    const contents = '<html><nav><ol><li><a href="text/a%20b.xhtml">The <b>end</b></a></li></ol></nav>&nbsp;</html>';
    const file = makeZip({ ...parts, 'OEBPS/book.opf': book, 'OEBPS/toc.ncx': contents });
    expect(chunksOf(await extractHere(file, types.epub)).map(([, heading]) => heading)).toEqual([
      'The start',
      'The end',
    ]);
  });

  it('says when its chapters need a key, and is read when only its fonts do', async () => {
    const lock = (name: string) => ({
      'META-INF/encryption.xml': `<encryption><EncryptedData><CipherData><CipherReference URI="${name}"/></CipherData></EncryptedData></encryption>`,
    });
    const locked = await extractHere(makeZip({ ...parts, ...lock('OEBPS/text/c.xhtml') }), types.epub);
    expect(locked).toEqual({ type: 'unreadable', reason: 'encrypted' });
    const fonts = await extractHere(makeZip({ ...parts, ...lock('OEBPS/font.otf') }), types.epub);
    expect(textOf(fonts)).toContain('The start');
  });

  it('of another writer is read', async () => {
    const path = new URL('../../fixtures/documents/pandoc.epub', import.meta.url).pathname;
    const text = textOf(await extractPath(path, types.epub));
    expect(text).toContain('Introduction\n\nThe lighthouse stands on the northern cliff.');
    expect(text.indexOf('Introduction')).toBeLessThan(text.indexOf('Chapter two says goodbye.'));
  });
});
