// Word, Excel and PowerPoint: packages made here, and files of other writers.
import { describe, expect, it } from 'vitest';
import {
  chunksOf,
  extractHere,
  extractPath,
  makeDocx,
  makeXlsx,
  makeZip,
  paragraph,
  relations,
  textOf,
  types,
} from '../../support/retrieval/documents.ts';

const fixture = (name: string) => new URL(`../../fixtures/documents/${name}`, import.meta.url).pathname;

describe('a Word document', () => {
  const styles =
    '<w:styles><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>' +
    '<w:style w:styleId="Own"><w:name w:val="Own"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style></w:styles>';
  const long = 'A long sentence about lamps. '.repeat(20).trim();

  it('is read under its headings, whatever its styles are called', async () => {
    const body =
      paragraph('Lamps', '<w:pStyle w:val="berschrift1"/>') +
      paragraph(long) +
      paragraph('Oil', '<w:pStyle w:val="Own"/>') +
      paragraph(long) +
      paragraph('Keepers', '<w:pStyle w:val="berschrift1"/>') +
      paragraph('Ada');
    const outcome = await extractHere(makeDocx(body, { 'word/styles.xml': styles }), types.docx);
    expect(chunksOf(outcome)).toEqual([
      [null, 'Lamps', `Lamps\n\n${long}`],
      [null, 'Lamps > Oil', `Oil\n\n${long}`],
      [null, 'Keepers', 'Keepers\n\nAda'],
    ]);
  });

  it('has lists, tabs, line breaks, tables, text boxes and notes', async () => {
    const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`;
    const body =
      paragraph('Item', '<w:numPr><w:numId w:val="1"/></w:numPr>') +
      '<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c &amp; d</w:t></w:r></w:p>' +
      `<w:tbl><w:tr>${cell('Year')}${cell('Ships')}</w:tr><w:tr>${cell('1880')}${cell('412')}</w:tr></w:tbl>` +
      `<w:p><w:r><w:drawing><w:txbxContent>${paragraph('In a box')}</w:txbxContent></w:drawing></w:r></w:p>`;
    const notes = `<w:footnotes><w:footnote>${paragraph('A note')}</w:footnote></w:footnotes>`;
    const outcome = await extractHere(makeDocx(body, { 'word/footnotes.xml': notes }), types.docx);
    expect(textOf(outcome)).toBe('- Item\n\na\tb\nc & d\n\nYear | Ships\n1880 | 412\n\nIn a box\n\nA note');
  });

  it('has neither deleted text, nor field codes, nor the copies for older programs', async () => {
    const run = (tag: string, text: string) => `<w:r><w:${tag}>${text}</w:${tag}></w:r>`;
    const body =
      `<w:p>${run('t', 'Kept')}<w:del>${run('delText', 'old')}${run('t', 'older')}</w:del>` +
      `${run('instrText', 'PAGE')}<mc:Fallback xmlns:mc="mc">${run('t', 'copy')}</mc:Fallback></w:p>`;
    expect(textOf(await extractHere(makeDocx(body), types.docx))).toBe('Kept');
  });

  it('repeats the first row of a long table in each chunk', async () => {
    const row = (n: number) => `<w:tr><w:tc>${paragraph(`Ship ${n}`)}</w:tc><w:tc>${paragraph('afloat')}</w:tc></w:tr>`;
    const rows = Array.from({ length: 300 }, (_, n) => row(n)).join('');
    const chunks = chunksOf(await extractHere(makeDocx(`<w:tbl>${rows}</w:tbl>`), types.docx));
    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks.filter(([, , body]) => !body.startsWith('Ship 0 | afloat\n'))).toEqual([]);
  });

  it('of another writer is read', async () => {
    const text = textOf(await extractPath(fixture('pandoc.docx'), types.docx));
    expect(text).toContain('Introduction\n\nThe lighthouse stands on the northern cliff.');
    expect(text).toContain('- Björn Ångström, who followed her');
    expect(text).toContain('Year | Ships | Wrecks\n1880 | 412 | 3\n1890 | 577 | 1');
    expect(text).toContain('Until the change to electricity.');
  });
});

describe('a spreadsheet', () => {
  const inline = (address: string, text: string) => `<c r="${address}" t="inlineStr"><is><t>${text}</t></is></c>`;

  it('is read by sheet, its rows under the names of their columns', async () => {
    const outcome = await extractPath(fixture('openpyxl.xlsx'), types.xlsx);
    const [ships, notes] = chunksOf(outcome);
    expect(ships).toEqual([
      null,
      'Ships',
      'Name | Built | Tons | Afloat\nAurora | 1901-05-17 | 1234.5 | TRUE\n' +
        'Borealis | 1910-06-01 13:45:00 | 0.3 | FALSE\nÜnïcode & <tags>',
    ]);
    expect(notes?.[1]).toBe('Notes');
    expect(notes?.[2]).toContain('alone');
  });

  it('has shared strings without their pronunciation, dates by their format, gaps where cells are missing', async () => {
    const strings =
      '<sst><si><t>Name</t></si><si><r><t>東</t></r><r><t>京</t></r><rPh><t>トウキョウ</t></rPh></si></sst>';
    const styles =
      '<styleSheet><numFmts><numFmt numFmtId="200" formatCode="[Red]yyyy&quot;y&quot;"/>' +
      '<numFmt numFmtId="201" formatCode="0&quot;days&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>' +
      '<cellXfs><xf numFmtId="0"/><xf numFmtId="22"/><xf numFmtId="200"/><xf numFmtId="201"/></cellXfs></styleSheet>';
    const rows =
      '<row><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>' +
      '<row><c r="A2" s="1"><v>36526.5</v></c><c r="C2" s="2"><v>36526</v></c><c r="D2" s="3"><v>12</v></c></row>' +
      '<row><c r="A3" s="1"><v>0.25</v></c><c r="B3" t="e"><v>#DIV/0!</v></c><c r="C3" t="str"><f>1&amp;2</f><v>12</v></c></row>';
    const parts = { 'xl/sharedStrings.xml': strings, 'xl/styles.xml': styles };
    expect(textOf(await extractHere(makeXlsx(rows, parts), types.xlsx))).toBe(
      'Name | 東京\n2000-01-01 12:00:00 |  | 2000-01-01 | 12days\n06:00:00 | #DIV/0! | 12',
    );
  });

  it('counts days from 1904 where it says so', async () => {
    const workbook =
      '<workbook><workbookPr date1904="1"/><sheets><sheet name="S" xmlns:r="r" r:id="a"/></sheets></workbook>';
    const styles = '<styleSheet><cellXfs><xf numFmtId="14"/></cellXfs></styleSheet>';
    const file = makeXlsx(`<row>${inline('A1', 'Day')}<c r="B1" s="0"><v>366</v></c></row>`, {
      'xl/workbook.xml': workbook,
      'xl/styles.xml': styles,
    });
    expect(textOf(await extractHere(file, types.xlsx))).toBe('Day | 1905-01-01');
  });

  it('may have a title above the names of its columns', async () => {
    const rows =
      `<row>${inline('A1', 'All ships')}</row><row>${inline('A2', 'Name')}${inline('B2', 'Tons')}</row>` +
      Array.from(
        { length: 300 },
        (_, n) => `<row>${inline(`A${n + 3}`, `Ship ${n}`)}${inline(`B${n + 3}`, '7')}</row>`,
      ).join('');
    const [title, ...chunks] = chunksOf(await extractHere(makeXlsx(rows), types.xlsx));
    expect(title?.[2]).toBe('All ships');
    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks.filter(([, , body]) => !body.startsWith('Name | Tons\nShip '))).toEqual([]);
  });
});

describe('a presentation', () => {
  const shape = (kind: string, ...texts: string[]) =>
    `<p:sp><p:nvPr><p:ph type="${kind}"/></p:nvPr>${texts.map((text) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`).join('')}</p:sp>`;
  const slide = (...shapes: string[]) => `<p:sld xmlns:p="p" xmlns:a="a">${shapes.join('')}</p:sld>`;

  it('is read slide by slide in the order in which they are shown, with notes', async () => {
    const cell = (text: string) => `<a:tc><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:tc>`;
    const table = `<p:graphicFrame><a:tbl><a:tr>${cell('Year')}${cell('Ships')}</a:tr><a:tr>${cell('1880')}${cell('412')}</a:tr></a:tbl></p:graphicFrame>`;
    const file = makeZip({
      'ppt/presentation.xml':
        '<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst><p:sldId id="1" r:id="b"/><p:sldId id="2" r:id="a"/></p:sldIdLst></p:presentation>',
      'ppt/_rels/presentation.xml.rels': relations({
        a: ['slide', 'slides/slide1.xml'],
        b: ['slide', 'slides/slide2.xml'],
      }),
      'ppt/slides/slide1.xml': slide(shape('body', 'Second shown'), shape('sldNum', '2')),
      'ppt/slides/slide2.xml': slide(shape('ctrTitle', 'Lamps'), shape('body', 'Oil', 'Light'), table),
      'ppt/slides/_rels/slide2.xml.rels': relations({ n: ['notesSlide', '../notesSlides/notesSlide1.xml'] }),
      'ppt/notesSlides/notesSlide1.xml': slide(shape('body', 'Speak slowly')),
    });
    const outcome = await extractHere(file, types.pptx);
    expect(outcome).toMatchObject({ type: 'text', pages: 2 });
    expect(chunksOf(outcome)).toEqual([
      [1, 'Lamps', 'Lamps\n\nOil\nLight\n\nYear | Ships\n1880 | 412\n\nSpeak slowly'],
      [2, null, 'Second shown'],
    ]);
  });

  it('of another writer is read', async () => {
    const outcome = await extractPath(fixture('pandoc.pptx'), types.pptx);
    expect(outcome).toMatchObject({ type: 'text', pages: 8 });
    const chunks = chunksOf(outcome);
    expect(chunks[0]).toEqual([1, 'The Lighthouse Report', 'The Lighthouse Report']);
    expect(chunks[3]?.[0]).toBe(4);
    expect(chunks[3]?.[2]).toContain('Björn Ångström, who followed her');
    expect(chunks[3]?.[2]).toContain('1880 | 412 | 3');
  });
});
