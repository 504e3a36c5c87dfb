// PDFs made by hand and by pdf-lib, and one of Chromium's that qpdf has encrypted.
import { deflateSync } from 'node:zlib';
import { linesOfPage } from '@parley/server/retrieval/extract/pdf/pdf-lines';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { describe, expect, it } from 'vitest';
import {
  chunksOf,
  extractHere,
  extractPath,
  lines,
  makeCjkPdf,
  makePdf,
  makePdfPages,
  stream,
  textOf,
  types,
} from '../../support/retrieval/documents.ts';

describe('a PDF', () => {
  it('is read page by page', async () => {
    const outcome = await extractHere(
      makePdfPages([lines(['On page one.', 700]), '', lines(['On page three.', 700])]),
      types.pdf,
    );
    expect(outcome).toMatchObject({ type: 'text', pages: 3 });
    expect(chunksOf(outcome)).toEqual([
      [1, null, 'On page one.'],
      [3, null, 'On page three.'],
    ]);
  });

  it('has paragraphs; lines of running text are joined, divided words too', async () => {
    const page = lines(
      ['A title', 760],
      ['This line of running text is nearly as long as the others, and so exam-', 700],
      ['ple and all of its lines are joined into one paragraph until it stops', 686],
      ['here.', 672],
      ['Another paragraph, which stands below a gap that is large, begins there', 620],
    );
    expect(textOf(await extractHere(makePdfPages([page]), types.pdf))).toBe(
      'A title\n\nThis line of running text is nearly as long as the others, and so example and all of its lines are ' +
        'joined into one paragraph until it stops here.\n\nAnother paragraph, which stands below a gap that is large, begins there',
    );
  });

  it('is read when another program wrote it with compressed objects', async () => {
    const document = await PDFDocument.create();
    const font = await document.embedFont(StandardFonts.TimesRoman);
    for (const text of ['The lighthouse at Ärmel.', 'The keeper’s log.'])
      document.addPage().drawText(text, { font, y: 500 });
    const outcome = await extractHere(await document.save(), types.pdf);
    expect(chunksOf(outcome)).toEqual([
      [1, null, 'The lighthouse at Ärmel.'],
      [2, null, 'The keeper’s log.'],
    ]);
  });

  // Fonts that bring no table of their characters: they name one of Adobe's, or the collection of their glyphs alone.
  it.each([
    ['Japanese', 'UniJIS-UCS2-H', 'Japan1', '706f53f0', '灯台'],
    ['Japanese in Shift JIS', '90ms-RKSJ-H', 'Japan1', '939491e4', '灯台'],
    ['simplified Chinese', 'GBK-EUC-H', 'GB1', 'b5c6cbfe', '灯塔'],
    ['traditional Chinese', 'ETen-B5-H', 'CNS1', 'bf4fb6f0', '燈塔'],
    ['Korean', 'KSCms-UHC-H', 'Korea1', 'b5eeb4eb', '등대'],
    ['Japanese by glyphs', 'Identity-H', 'Japan1', '034a034b', 'ぁあ'],
  ])('of %s is read without a table of its own', async (_, encoding, collection, codes, text) => {
    const outcome = await extractHere(makeCjkPdf(encoding, collection, codes), types.pdf);
    expect(textOf(outcome)).toBe(text);
  });

  it('says when it has no text or a password', async () => {
    const path = new URL('../../fixtures/documents/encrypted.pdf', import.meta.url).pathname;
    expect(await extractPath(path, types.pdf)).toEqual({ type: 'unreadable', reason: 'encrypted' });
    const scan = await extractHere(makePdfPages(['0 0 100 100 re f']), types.pdf);
    expect(scan).toMatchObject({ type: 'text', pages: 1, chunks: [] });
  });
});

describe('a line of a page', () => {
  /** One run a word, as the writer stores them: each begins `step` behind the one before. */
  const line = (step: number, ...words: [text: string, dir?: string][]) =>
    words.map(([str, dir = 'ltr'], index) => ({
      str,
      dir,
      hasEOL: index === words.length - 1,
      transform: [1, 0, 0, 1, 300 + index * step, 700],
      width: 0,
      height: 12,
    }));

  it('is read from the right when Arabic is stored from the left, its numbers as they are', () => {
    const stored = line(
      20,
      ['سفينة', 'rtl'],
      [' '],
      ['412'],
      [' '],
      ['كانت', 'rtl'],
      [' '],
      ['1880', 'ltr'],
      [' '],
      ['عام', 'rtl'],
    );
    expect(linesOfPage(stored)).toBe('عام 1880 كانت 412 سفينة');
  });

  it('stays when Arabic is stored in reading order', () => {
    expect(linesOfPage(line(-20, ['عام', 'rtl'], [' '], ['سفينة', 'rtl']))).toBe('عام سفينة');
  });

  it('keeps its words in order around Arabic, and its letters as typed', () => {
    const stored = line(
      20,
      ['The words '],
      ['\ufe94', 'rtl'],
      ['\ufef4', 'rtl'],
      ['\ufe91', 'rtl'],
      [' and more of the words.'],
    );
    expect(linesOfPage(stored)).toBe('The words بية and more of the words.');
  });
});

describe('a hostile PDF', () => {
  const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';

  it('ends when its pages are their own parents', async () => {
    const loop = makePdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 1000000000 >>',
    ]);
    expect(await extractHere(loop, types.pdf)).toMatchObject({ type: 'unreadable' });
  });

  it("ends when it refers to itself or claims pages that don't exist", async () => {
    const objects = ['2 0 R', '3 0 R', '2 0 R'];
    expect(await extractHere(makePdf(objects), types.pdf)).toEqual({ type: 'unreadable', reason: 'damaged' });
    const claims = makePdf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [] /Count 500 >>']);
    expect(await extractHere(claims, types.pdf)).toMatchObject({ type: 'unreadable' });
  });

  it('ends when its forms draw themselves', async () => {
    const resources = `/Resources << /Font << /F 3 0 R >> /XObject << /X 5 0 R >> >>`;
    const file = makePdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [4 0 R] /Count 1 >>',
      font,
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 6 0 R ${resources} >>`,
      stream('BT /F 12 Tf (again) Tj ET /X Do', `/Type /XObject /Subtype /Form /BBox [0 0 9 9] ${resources}`),
      stream('BT /F 12 Tf (once) Tj ET /X Do'),
    ]);
    expect(textOf(await extractHere(file, types.pdf))).toContain('once');
  });

  it('runs no script and calls nobody', async () => {
    const called: string[] = [];
    const { fetch } = globalThis;
    globalThis.fetch = (async (url: string) => void called.push(String(url))) as unknown as typeof fetch;
    try {
      const page = `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 5 0 R /Resources << /Font << /F 3 0 R >> >> >>`;
      const file = makePdf([
        '<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (globalThis.pdfRan = true) >> >>',
        '<< /Type /Pages /Kids [4 0 R] /Count 1 >>',
        '<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /UniGB-UCS2-H /DescendantFonts [6 0 R] >>',
        page,
        stream(lines(['text', 700]), '/F (http://127.0.0.1:9/outside)'),
        '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /X /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 0 >> >>',
      ]);
      await extractHere(file, types.pdf);
      expect(called).toEqual([]);
      expect(globalThis).not.toHaveProperty('pdfRan');
    } finally {
      globalThis.fetch = fetch;
    }
  });

  it('is damaged, never an error, when it is cut off or not a PDF', async () => {
    const whole = makePdfPages([lines(['Some text that is here.', 700])]);
    for (let length = 0; length < whole.length; length += 97) {
      const outcome = await extractHere(whole.slice(0, length), types.pdf);
      if (outcome.type === 'unreadable') expect(outcome.reason).toBe('damaged');
    }
    expect(await extractHere('no pdf', types.pdf)).toEqual({ type: 'unreadable', reason: 'damaged' });
  });

  it('ends when its objects nest without end', async () => {
    const file = makePdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [4 0 R] /Count 1 >>',
      font,
      `${'['.repeat(100_000)}`,
    ]);
    await expect(extractHere(file, types.pdf)).resolves.toMatchObject({ type: 'unreadable' });
  });

  it('has no text when it holds nothing but packed spaces', async () => {
    const spaces = deflateSync(Buffer.alloc(5_000_000, 32)).toString('latin1');
    const file = Buffer.from(makePdfPages(['']).replace(stream(''), stream(spaces, '/Filter /FlateDecode')), 'latin1');
    expect(await extractHere(file, types.pdf)).toMatchObject({ type: 'text', chunks: [] });
  });
});
