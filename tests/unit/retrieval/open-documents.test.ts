// Files of LibreOffice and its like, of Word and Excel before 2007, Rich Text, e-mails and notebooks.
import { expect, describe, it } from 'vitest';
import { extractText } from '@parley/server/retrieval/extract/extract';
import type { Section } from '@parley/server/retrieval/extract/source';
import {
  chunksOf,
  extractHere,
  extractPath,
  makeZip,
  textOf,
  types,
  writeDocument,
} from '../../support/retrieval/documents.ts';

const fixture = (name: string) => new URL(`../../fixtures/documents/${name}`, import.meta.url).pathname;
const HARBOUR = [
  'Introduction\n\nThe lighthouse stands on the northern cliff. Größe: 42 m – „hoch“, 灯台.',
  'Year | Ships\n1880 | 412\n1881 | 430',
  'Björn, from 1902',
  'The lamp burned colza oil.',
];
const content = (body: string) => `<office:document-content xmlns:office="o">${body}</office:document-content>`;

/** The sections before they are cut into chunks. */
async function sectionsOf(bytes: string | Uint8Array, mime: string): Promise<[string | null, string][]> {
  const sections: Section[] = [];
  await extractText({ path: writeDocument(bytes), mime }, { write: (section) => void sections.push(section) });
  return sections.filter(({ text }) => text.trim() !== '').map(({ heading, text }) => [heading, text]);
}

describe('a text of other programs is read', () => {
  it.each([
    ['pandoc.odt', types.odt],
    ['libreoffice.odt', types.odt],
    ['pandoc.rtf', types.rtf],
    ['libreoffice.rtf', types.rtf],
    ['libreoffice.doc', types.doc],
  ])('%s', async (name, mime) => {
    const text = textOf(await extractPath(fixture(name), mime));
    for (const part of HARBOUR) expect(text).toContain(part);
  });

  it.each([
    ['libreoffice.ods', types.ods],
    ['libreoffice.xls', types.xls],
  ])('%s by its sheets', async (name, mime) => {
    const [ships, notes] = chunksOf(await extractPath(fixture(name), mime));
    expect(ships?.[1]).toBe('Ships');
    expect(ships?.[2]).toMatch(/^Name \| Built \| Tons \| Afloat\nAurora \| 1901-05-17 \| 1234.5 \| (TRUE|1)\n/);
    expect(ships?.[2]).toContain('Borealis | 1910-06-01 13:45:00 | 0.3');
    expect(notes?.[1]).toBe('Notes');
  });

  it('sheetjs-excel95.xls, a workbook from before Unicode, in the encoding that it names', async () => {
    const [sheet] = chunksOf(await extractPath(fixture('sheetjs-excel95.xls'), types.xls));
    expect(sheet?.slice(1)).toEqual(['船', '灯台 | トン数\n北の灯台 | 412']);
  });

  it('libreoffice.odp by its slides', async () => {
    const outcome = await extractPath(fixture('libreoffice.odp'), types.odp);
    expect(outcome).toMatchObject({ pages: 8 });
    const slide = chunksOf(outcome).find(([page]) => page === 4);
    expect(slide?.[1]).toBe('Keepers');
    expect(slide?.[2]).toContain('Year | Ships | Wrecks\n1880 | 412 | 3');
  });

  it('libreoffice-beside.doc with its header and footers once, and with its note and comment', async () => {
    expect(textOf(await extractPath(fixture('libreoffice-beside.doc'), types.doc))).toBe(
      'Harbour Board – lamp accounts\n\nForty barrels of oil came in May.\n\nThe second part begins here.\n\nColza oil.\n\n' +
        'Which price is this?\n\nAccount DE00 1234\n\nKept by Björn Ek',
    );
  });

  it('python.eml with who wrote it, when, and what is attached', async () => {
    const [[, subject, text] = []] = chunksOf(await extractPath(fixture('python.eml'), types.eml));
    expect(subject).toBe('Öl für die Lampe');
    expect(text).toContain('From: Ada Keeper <ada@example.org>\nTo: Björn <bjoern@example.org>\nDate: 2024-03-05');
    expect(text).toContain('Attached: lamp plan.bin\n\nWe need forty barrels of colza oil.');
  });
});

describe('an OpenDocument file', () => {
  it('leaves out what was deleted, tells comments where they stand, and keeps spaces, tabs and lines', async () => {
    const body =
      '<text:tracked-changes><text:p>old</text:p></text:tracked-changes>' +
      '<text:h text:outline-level="2">Lamps</text:h>' +
      '<text:p>a<text:s text:c="2"/>b<text:tab/>c<text:line-break/>d' +
      '<office:annotation><dc:creator>Rita</dc:creator><dc:date>2026</dc:date><text:p>Which lamp?</text:p></office:annotation></text:p>';
    expect(await sectionsOf(makeZip({ 'content.xml': content(body) }), types.odt)).toEqual([
      ['Lamps', 'Lamps\n\na  b\tc\nd [Rita: Which lamp?]'],
    ]);
  });

  it.each([
    [types.odt, '<text:p>Let <draw:frame>OBJECT</draw:frame> hold.</text:p>', 'Let a^2 over b hold.'],
    [types.odp, '<draw:page><draw:frame>OBJECT</draw:frame></draw:page>', 'a^2 over b'],
  ])(
    'of type %s tells the formulas, sheets and charts that are embedded, and survives damaged ones',
    async (mime, body, formula) => {
      const math =
        '<math:math xmlns:math="m"><math:mi>a</math:mi><math:annotation math:encoding="StarMath 5.0">a^2 over b</math:annotation></math:math>';
      const cell = (text: string) => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`;
      const sheet = content(
        `<chart:title><text:p>Oil</text:p></chart:title><table:table><table:table-row>${cell('Year')}${cell('412')}</table:table-row></table:table>`,
      );
      const object = (name: string) => `<draw:object xlink:href="./${name}"/>`;
      const file = (inside: string) =>
        makeZip({
          'content.xml': content(body.replace('OBJECT', inside)),
          'Object 1/content.xml': math,
          'Object 2/content.xml': sheet,
          'Object 3/content.xml': '<no xml',
        });
      expect(textOf(await extractHere(file(object('Object 1')), mime))).toBe(formula);
      expect(textOf(await extractHere(file(object('Object 2')), mime))).toContain('Oil\nYear | 412');
      expect(await extractHere(file(object('Object 3') + object('Object 1')), mime)).toMatchObject({ type: 'text' });
    },
  );

  it('of slides shows which are hidden, and what their master and footer show, each once', async () => {
    const frame = (kind: string, text: string) =>
      `<draw:frame ${kind}><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame>`;
    const master = (name: string, inner: string) =>
      `<style:master-page style:name="${name}">${inner}<presentation:notes>${frame('', 'Prompt of notes')}</presentation:notes></style:master-page>`;
    const styles = `<o>${master('A', frame('presentation:class="title"', 'Click here') + frame('', 'Muster Ltd'))}${master('B', frame('', 'Unused'))}</o>`;
    const look = (name: string, attributes: string) =>
      `<style:style style:name="${name}"><style:drawing-page-properties ${attributes}/></style:style>`;
    const page = (style: string, text: string, name = 'A') =>
      `<draw:page draw:style-name="${style}" draw:master-page-name="${name}" presentation:use-footer-name="f">${frame('presentation:class="outline"', text)}</draw:page>`;
    const body =
      look('plain', 'presentation:display-footer="true"') +
      look('bare', 'presentation:display-footer="false" presentation:background-objects-visible="false"') +
      look('hidden', 'presentation:visibility="hidden"') +
      '<presentation:footer-decl presentation:name="f">Harbour Board</presentation:footer-decl>' +
      page('bare', 'Cover', 'B') +
      page('plain', 'Ships') +
      page('hidden', 'Wrecks');
    const sections = await sectionsOf(makeZip({ 'content.xml': content(body), 'styles.xml': styles }), types.odp);
    expect(sections.map(([, text]) => text)).toEqual([
      'Cover',
      'Muster Ltd\n\nHarbour Board\n\nShips',
      '(This slide is hidden.)\n\nWrecks',
    ]);
  });

  it('has the numbers of its lists and headings, addresses of links, and its headers and footers once', async () => {
    const level = (at: number, format: string, more = '') =>
      `<text:list-level-style-number text:level="${at}" style:num-format="${format}" ${more}/>`;
    const styles =
      '<o xmlns:text="t" xmlns:style="s"><text:outline-style><text:outline-level-style text:level="1" style:num-format="1" style:num-suffix="."/></text:outline-style>' +
      '<style:header><text:p>Muster Ltd</text:p></style:header><style:header-first><text:p>Muster Ltd</text:p></style:header-first>' +
      '<style:footer><text:p>Account 12</text:p></style:footer></o>';
    const list = `<text:list-style style:name="L1">${level(1, '1', 'style:num-suffix="."')}${level(2, 'a', 'style:num-prefix="(" style:num-suffix=")"')}${level(3, 'i', 'text:display-levels="3"')}</text:list-style>`;
    const item = (text: string, inner = '') =>
      `<text:list-item><text:p>${text}</text:p><text:p>more</text:p>${inner}</text:list-item>`;
    const nested = `<text:list>${item('whales', `<text:list>${item('blue')}</text:list>`)}${item('coal')}</text:list>`;
    const body =
      `${list}<text:h text:outline-level="1">Oil</text:h>` +
      `<text:list text:style-name="L1">${item('Kinds', nested)}${item('Prices')}</text:list><text:p>between</text:p>` +
      `<text:list text:style-name="L1" text:continue-numbering="true">${item('Goes on')}</text:list>` +
      '<text:list text:style-name="other"><text:list-item><text:p>bullet</text:p></text:list-item></text:list>' +
      '<text:p>See <text:a xlink:href="https://example.org/t">the terms</text:a>.</text:p>';
    const sections = await sectionsOf(makeZip({ 'content.xml': content(body), 'styles.xml': styles }), types.odt);
    expect(sections.map(([, text]) => text.replaceAll('\n\nmore', '')).join('\n\n')).toBe(
      'Muster Ltd\n\n1. Oil\n\n1. Kinds\n\n(a) whales\n\n1.a.i blue\n\n(b) coal\n\n2. Prices\n\nbetween\n\n3. Goes on\n\n- bullet\n\n' +
        'See the terms (https://example.org/t).\n\nAccount 12',
    );
  });

  it('of a sheet shows cells as formatted, formulas without a value, comments, shapes, and what is hidden', async () => {
    const cell = (attributes: string, shown: string) =>
      `<table:table-cell ${attributes}>${shown && `<text:p>${shown}</text:p>`}</table:table-cell>`;
    const row =
      cell('office:value-type="percentage" office:value="0.075"', '7.50 %') +
      cell('office:value-type="date" office:date-value="2026-03-04"', '04.03.26') +
      cell('office:value-type="time" office:time-value="PT37H"', '37:00') +
      cell('table:formula="of:=SUM([.A1:.A2])"', '') +
      `<table:table-cell><office:annotation><dc:creator>Rita</dc:creator><text:p>Old</text:p></office:annotation><text:p>Tons</text:p></table:table-cell>`;
    const body =
      '<style:style style:name="ta2"><style:table-properties table:display="false"/></style:style>' +
      `<table:table table:name="Pay" table:style-name="ta2"><table:shapes><draw:frame><draw:text-box><text:p>Without tax</text:p></draw:text-box></draw:frame></table:shapes><table:table-row>${row}</table:table-row></table:table>`;
    expect(await sectionsOf(makeZip({ 'content.xml': content(body) }), types.ods)).toEqual([
      ['Pay (hidden)', '7.50 % | 2026-03-04 | 37:00 | =SUM([.A1:.A2]) | Tons [Rita: Old]'],
      ['Pay (hidden)', 'Without tax'],
    ]);
  });

  it('says when it has a password', async () => {
    const manifest = '<m:manifest xmlns:m="m"><m:file-entry><m:encryption-data/></m:file-entry></m:manifest>';
    const file = makeZip({ 'content.xml': 'noise', 'META-INF/manifest.xml': manifest });
    expect(await extractHere(file, types.odt)).toEqual({ type: 'unreadable', reason: 'encrypted' });
  });

  it('takes no memory for empty cells repeated to the end of the sheet', async () => {
    const cell = (text: string, count = 1) =>
      `<table:table-cell table:number-columns-repeated="${count}">${text && `<text:p>${text}</text:p>`}</table:table-cell>`;
    const rows =
      `<table:table-row>${cell('Name')}${cell('', 2)}${cell('Built')}${cell('', 16_380)}</table:table-row>` +
      `<table:table-row table:number-rows-repeated="1048575">${cell('', 16_384)}</table:table-row>`;
    const body = `<table:table table:name="Ships">${rows}</table:table>`;
    expect(await sectionsOf(makeZip({ 'content.xml': content(body) }), types.ods)).toEqual([
      ['Ships', 'Name |  |  | Built'],
    ]);
  });
});

describe('Rich Text', () => {
  it('has the headings of its styles, its characters in their encoding, and no hidden groups', async () => {
    const rtf =
      '{\\rtf1\\ansi\\ansicpg1251{\\fonttbl{\\f0 Arial;}}{\\stylesheet{\\s1\\outlinelevel0 heading 1;}{\\s2 plain;}}' +
      "{\\*\\generator Some program;}\\pard\\s1 Lamps\\par\\pard\\s2 \\'cc\\'e0\\'ff\\'ea \\u28783?\\u21488?, \\{oil\\}\\par}";
    expect(await sectionsOf(rtf, types.rtf)).toEqual([['Lamps', 'Lamps\n\nМаяк 灯台, {oil}']]);
  });

  it('has its headers and footers once, comments, notes, addresses of links and the numbers of its lists', async () => {
    const rtf =
      '{\\rtf1\\ansi{\\header Muster Ltd\\par}{\\footerf Account 12\\par}' +
      '{\\listtext\\pard\\plain 2.1\\tab}The cap{\\*\\atnid RR}{\\*\\atnauthor Rita}{\\*\\annotation{\\*\\atnref 1}Too high?\\par} is 5{\\footnote of 2026\\par}.\\par ' +
      "{\\listtext\\f3\\'b7\\tab}Oil\\par " +
      'See {\\field{\\*\\fldinst{HYPERLINK "https://example.org/t"}}{\\fldrslt{\\ul the terms}}} now.\\par ' +
      "\\sect{\\header Muster Ltd\\par}\\'93Done\\'94 \\'96 5 \\'80\\par}";
    expect((await sectionsOf(rtf, types.rtf)).map(([, text]) => text)).toEqual([
      '2.1 The cap [Rita: Too high?] is 5.\n\n- Oil\n\nSee the terms (https://example.org/t) now.\n\n“Done” – 5 €\n\nof 2026\n\nMuster Ltd\n\nAccount 12',
    ]);
  });

  it('is refused when it opens countless groups', async () => {
    expect(await extractHere(`{\\rtf1${'{'.repeat(5000)}`, types.rtf)).toEqual({
      type: 'unreadable',
      reason: 'damaged',
    });
  });
});

describe('a file of Word before 2007', () => {
  it('says when it has a password', async () => {
    const bytes = Buffer.alloc(2048);
    bytes.writeUInt16LE(0xa5ec, 512);
    bytes.writeUInt16LE(0x0100, 522);
    expect(await extractHere(bytes, types.doc)).toEqual({ type: 'unreadable', reason: 'encrypted' });
  });
});

describe('a notebook', () => {
  it('is its texts, its code and what that printed, without images', async () => {
    const cells = [
      { cell_type: 'markdown', source: ['# Lamps\n', 'Of oil.'] },
      {
        cell_type: 'code',
        source: 'print(1)',
        outputs: [
          { output_type: 'stream', text: ['1\n'] },
          { output_type: 'display_data', data: { 'image/png': 'AAAA', 'text/plain': '<Figure>' } },
          { output_type: 'error', traceback: ['\u001b[31mValueError\u001b[0m'] },
        ],
      },
    ];
    expect(await sectionsOf(JSON.stringify({ cells, nbformat: 4 }), types.notebook)).toEqual([
      ['Lamps', '# Lamps\nOf oil.'],
      ['Lamps', 'print(1)\n\nOutput:\n1\n\n<Figure>\nValueError'],
    ]);
  });

  it('is damaged when it has no cells', async () => {
    expect(await extractHere('{}', types.notebook)).toEqual({ type: 'unreadable', reason: 'damaged' });
  });
});
