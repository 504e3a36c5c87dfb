// What a person sees in spreadsheets and presentations beside the stored values and the text of shapes.
import { describe, expect, it } from 'vitest';
import {
  chunksOf,
  extractHere,
  extractPath,
  makeXlsx,
  makeZip,
  relations,
  textOf,
  types,
} from '../../support/retrieval/documents.ts';

const fixture = (name: string) => new URL(`../../fixtures/documents/office/${name}`, import.meta.url).pathname;
const inline = (address: string, text: string) => `<c r="${address}" t="inlineStr"><is><t>${text}</t></is></c>`;
const readSheet = async (rows: string, parts: Record<string, string> = {}) =>
  textOf(await extractHere(makeXlsx(rows, parts), types.xlsx));
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('>', '&gt;');

it.each([
  [
    'timesheet-hours.xlsx',
    types.xlsx,
    'Who | Worked | Planned | Rate | Pay\nAnna Muster | 37:00 | 41:00:00 | 7.50% | EUR 1,250.00',
  ],
  ['formulas-uncalculated.xlsx', types.xlsx, 'Total | =SUM(B2:B3)'],
  ['process-smartart.pptx', types.pptx, 'Collect requests\nReview by Friday\nShip on Monday'],
])('%s is told as it is shown', async (name, mime, part) => {
  expect(textOf(await extractPath(fixture(name), mime))).toContain(part);
});

describe('a cell', () => {
  const shown = async (value: string, code: string, type = '') => {
    const isBuiltIn = /^\d+$/.test(code);
    const own = isBuiltIn ? '' : `<numFmts><numFmt numFmtId="164" formatCode="${escaped(code)}"/></numFmts>`;
    const styles = `<styleSheet>${own}<cellXfs><xf numFmtId="0"/><xf numFmtId="${isBuiltIn ? code : 164}"/></cellXfs></styleSheet>`;
    const rows = `<row>${inline('A1', 'Value')}<c r="B1" s="1"${type}><v>${value}</v></c></row>`;
    return (await readSheet(rows, { 'xl/styles.xml': styles })).replace('Value | ', '');
  };

  it.each([
    ['1.5416666666666667', '[h]:mm', '37:00'],
    ['1.5', '[mm]:ss', '2160:00'],
    ['0.75', 'h:mm AM/PM', '6:00 PM'],
    ['1.75', 'hh:mm', '18:00'],
    ['0.075', '10', '7.50%'],
    ['0.5', '9', '50%'],
    ['1250', '"EUR" #,##0.00', 'EUR 1,250.00'],
    ['-1250.5', '[$€-2] #,##0.00;[Red]-[$€-2] #,##0.00', '-€ 1,250.50'],
    ['1234.5', '44', '$1,234.50'],
    ['0.75', '# ?/?', '3/4'],
    ['1.3125', '# ??/16', '1 5/16'],
    ['12345', '0.00E+00', '1.23E+04'],
    ['12345678', '#,##0.0,,"M"', '12.3M'],
    ['0', '0.00;-0.00;"none"', 'none'],
    ['3', 'General" pcs"', '3 pcs'],
    ['7', '"Nr. "000', 'Nr. 007'],
    ['0.30000000000000004', '0', '0.3'],
    ['36526', 'dd/mm/yyyy', '2000-01-01'],
    ['36526', '[$-407]d. mmmm yyyy', '2000-01-01'],
    ['36526', 'mmm-yy', '2000-01-01'],
  ])('of %s in the format %s is told as %s', async (value, code, expected) => {
    expect(await shown(value, code)).toBe(expected);
  });

  it('shows a text with what its format puts around texts', async () => {
    expect(await shown('Graz', '0;0;0;"City of "@', ' t="str"')).toBe('City of Graz');
  });

  it('shows its value when no one can show its format', async () => {
    expect(await shown('12.5', '[$x}0{{"')).toContain('12.5');
  });

  it('has its comments, the messages of a thread too, and those of empty cells stand below', async () => {
    const text = await readSheet(`<row>${inline('A1', 'Tons')}<c r="B1"><v>7</v></c></row>`, {
      'xl/worksheets/_rels/sheet1.xml.rels': relations({
        a: ['comments', '../comments1.xml'],
        b: ['threadedComment', '../threadedComments/threadedComment1.xml'],
      }),
      'xl/_rels/workbook.xml.rels': relations({
        a: ['worksheet', 'worksheets/sheet1.xml'],
        p: ['person', 'persons/person.xml'],
      }),
      'xl/persons/person.xml': '<personList><person displayName="Bo" id="{1}"/></personList>',
      'xl/comments1.xml':
        '<comments><authors><author>Rita</author><author>tc={9}</author></authors><commentList>' +
        '<comment ref="A1" authorId="0"><text><r><t>Rita:</t></r><r><t xml:space="preserve">\nmetric?</t></r></text></comment>' +
        '<comment ref="B1" authorId="1"><text><t>[Threaded comment]</t></text></comment>' +
        '<comment ref="D9" authorId="0"><text><t>Add 1881</t></text></comment></commentList></comments>',
      'xl/threadedComments/threadedComment1.xml':
        '<ThreadedComments><threadedComment ref="B1" personId="{1}" id="x"><text>Too low</text></threadedComment>' +
        '<threadedComment ref="B1" personId="{1}" id="y" parentId="x"><text>or not</text></threadedComment></ThreadedComments>',
    });
    expect(text).toBe('Tons [Rita: metric?] | 7 [Bo: Too low; Bo: or not]\nD9: [Rita: Add 1881]');
  });

  it('has the address of its link behind its words, of a formula too', async () => {
    const sheet =
      `<worksheet><sheetData><row>${inline('A1', 'Terms')}<c r="B1" t="str"><f>HYPERLINK("https://example.org/b","Help")</f><v>Help</v></c></row>` +
      '</sheetData><hyperlinks><hyperlink ref="A1" r:id="x"/></hyperlinks></worksheet>';
    const text = await readSheet('', {
      'xl/worksheets/sheet1.xml': sheet,
      'xl/worksheets/_rels/sheet1.xml.rels':
        '<Relationships><Relationship Id="x" Type="r/hyperlink" Target="https://example.org/a" TargetMode="External"/></Relationships>',
    });
    expect(text).toBe('Terms (https://example.org/a) | Help (https://example.org/b)');
  });
});

describe('a sheet', () => {
  const drawing = (text: string) =>
    `<xdr:wsDr xmlns:xdr="x" xmlns:a="a"><xdr:sp><xdr:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></xdr:txBody></xdr:sp></xdr:wsDr>`;

  it('has text when it holds only a text box and a comment', async () => {
    const text = await readSheet('', {
      'xl/worksheets/_rels/sheet1.xml.rels': relations({
        d: ['drawing', '../drawings/drawing1.xml'],
        c: ['comments', '../comments1.xml'],
      }),
      'xl/drawings/drawing1.xml': drawing('Prices without tax'),
      'xl/comments1.xml':
        '<comments><authors><author>Rita</author></authors><commentList><comment ref="B2" authorId="0"><text><t>Old</t></text></comment></commentList></comments>',
    });
    expect(text).toBe('B2: [Rita: Old]\nPrices without tax');
  });

  it('has what its printed pages show above and below, without looks and page numbers', async () => {
    const footer =
      '<headerFooter><oddHeader>&amp;L&amp;"Arial,Bold"&amp;12Muster &amp;&amp; Sons&amp;CBudget&amp;R&amp;D</oddHeader><oddFooter>&amp;CPage &amp;P of &amp;N</oddFooter></headerFooter>';
    const text = await readSheet('', {
      'xl/worksheets/sheet1.xml': `<worksheet><sheetData><row>${inline('A1', 'Tons')}</row></sheetData>${footer}</worksheet>`,
    });
    expect(text).toBe('Tons\nMuster & Sons | Budget\nPage of');
  });

  it('says in its name that it is hidden', async () => {
    const outcome = await extractHere(
      makeXlsx(`<row>${inline('A1', 'Salaries')}</row>`, {
        'xl/workbook.xml':
          '<workbook xmlns:r="r"><sheets><sheet name="Pay" state="veryHidden" sheetId="1" r:id="a"/></sheets></workbook>',
      }),
      types.xlsx,
    );
    expect(chunksOf(outcome)).toEqual([[null, 'Pay (hidden)', 'Salaries']]);
  });
});

describe('a slide', () => {
  const run = (text: string, properties = '') => `<a:r><a:rPr>${properties}</a:rPr><a:t>${text}</a:t></a:r>`;
  const line = (text: string, properties = '') => `<a:p><a:pPr${properties}</a:pPr>${run(text)}</a:p>`;
  const shape = (content: string, kind = 'body') => `<p:sp><p:nvPr><p:ph type="${kind}"/></p:nvPr>${content}</p:sp>`;
  const deck = async (slides: string[], parts: Record<string, string> = {}) => {
    const ids = slides.map((_, at) => `<p:sldId id="${at + 1}" r:id="s${at + 1}"/>`).join('');
    const targets = slides.map((_, at) => [`s${at + 1}`, ['slide', `slides/slide${at + 1}.xml`]] as const);
    const files = slides.map((content, at) => [`ppt/slides/slide${at + 1}.xml`, content] as const);
    return extractHere(
      makeZip({
        'ppt/presentation.xml': `<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst>${ids}</p:sldIdLst></p:presentation>`,
        'ppt/_rels/presentation.xml.rels': relations({
          ...Object.fromEntries(targets.map(([id, [type, target]]) => [id, [type, target] as [string, string]])),
          a: ['commentAuthors', 'commentAuthors.xml'],
          m: ['authors', 'authors.xml'],
        }),
        ...Object.fromEntries(files),
        ...parts,
      }),
      types.pptx,
    );
  };
  const slide = (content: string, attributes = '') => `<p:sld xmlns:p="p" xmlns:a="a"${attributes}>${content}</p:sld>`;

  it('has the numbers that PowerPoint computes, level by level', async () => {
    const auto = (type: string, level = 0, more = '') => ` lvl="${level}"><a:buAutoNum type="${type}"${more}/>`;
    const list =
      line('Oil', auto('arabicPeriod')) +
      line('whales', auto('alphaLcParenBoth', 1)) +
      line('coal', auto('alphaLcParenBoth', 1)) +
      line('Wick', auto('arabicPeriod')) +
      line('cotton', auto('romanUcParenR', 1)) +
      line('between', '>') +
      line('Lens', auto('arabicPeriod', 0, ' startAt="7"'));
    expect(textOf(await deck([slide(shape(list))]))).toBe(
      '1. Oil\n(a) whales\n(b) coal\n2. Wick\nI) cotton\nbetween\n7. Lens',
    );
  });

  it.each([
    ['circleNumDbPlain', '① ②'],
    ['arabicDbPeriod', '１. ２.'],
    ['ea1ChsPeriod', '一. 二.'],
    ['romanLcParenBoth', '(i) (ii)'],
    ['alphaUcPeriod', 'A. B.'],
  ])('has numbers in the format %s', async (type, expected) => {
    const list = line('Oil', `><a:buAutoNum type="${type}"/>`).repeat(2);
    expect(
      textOf(await deck([slide(shape(list))]))
        .replaceAll(/ Oil\n?/g, ' ')
        .trim(),
    ).toBe(expected);
  });

  it('has the texts of its layout and master once, without their prompts, unless it hides them', async () => {
    const fixed = (text: string) => `<p:sp><p:nvPr/>${line(text, '>')}</p:sp>`;
    const prompt = shape(line('Click to edit', '>'), 'title');
    const layout = (content: string, more = '') =>
      `<p:sldLayout xmlns:p="p" xmlns:a="a"${more}>${prompt}${content}</p:sldLayout>`;
    const of = (at: number) => relations({ l: ['slideLayout', `../slideLayouts/slideLayout${at}.xml`] });
    const master = relations({ m: ['slideMaster', '../slideMasters/slideMaster1.xml'] });
    const bodies = ['One', 'Two', 'Three', 'Four'].map((text) => shape(line(text, '>')));
    const outcome = await deck(
      bodies.map((body, at) => slide(body, at === 0 ? ' showMasterSp="0"' : '')),
      {
        'ppt/slides/_rels/slide1.xml.rels': of(1),
        'ppt/slides/_rels/slide2.xml.rels': of(2),
        'ppt/slides/_rels/slide3.xml.rels': of(1),
        'ppt/slides/_rels/slide4.xml.rels': of(1),
        'ppt/slideLayouts/slideLayout1.xml': layout(fixed('Draft')),
        'ppt/slideLayouts/slideLayout2.xml': layout(fixed('Annex'), ' showMasterSp="0"'),
        'ppt/slideLayouts/_rels/slideLayout1.xml.rels': master,
        'ppt/slideLayouts/_rels/slideLayout2.xml.rels': master,
        'ppt/slideMasters/slideMaster1.xml': `<p:sldMaster xmlns:p="p" xmlns:a="a">${prompt}${fixed('Muster Ltd')}</p:sldMaster>`,
      },
    );
    expect(chunksOf(outcome).map(([, , body]) => body)).toEqual([
      'One',
      'Two\n\nAnnex',
      'Three\n\nDraft\nMuster Ltd',
      'Four',
    ]);
  });

  it('has the shapes of groups inside of groups, and its notes', async () => {
    const box = (text: string) => `<p:sp><p:nvPr/>${line(text, '>')}</p:sp>`;
    const group = (content: string) => `<p:grpSp>${content}</p:grpSp>`;
    const outcome = await deck([slide(group(box('Outer') + group(box('Inner') + group(box('Innermost')))))], {
      'ppt/slides/_rels/slide1.xml.rels': relations({ n: ['notesSlide', '../notesSlides/notesSlide1.xml'] }),
      'ppt/notesSlides/notesSlide1.xml': `<p:notes xmlns:p="p" xmlns:a="a">${shape(line('Say hello', '>'))}${shape(line('7', '>'), 'sldNum')}</p:notes>`,
    });
    expect(textOf(outcome)).toBe('Outer\n\nInner\n\nInnermost\n\nSay hello');
  });

  it('has comments old and new, its link, its footer once, and says that it is hidden', async () => {
    const link = `<a:p>${run('See ')}${run('the', '<a:hlinkClick r:id="h"/>')}${run(' terms', '<a:hlinkClick r:id="h"/>')}</a:p>`;
    const outcome = await deck(
      [
        slide(shape(link) + shape(line('Confidential', '>'), 'ftr')),
        slide(shape(line('Second', '>')) + shape(line('Confidential', '>'), 'ftr'), ' show="0"'),
      ],
      {
        'ppt/slides/_rels/slide1.xml.rels':
          '<Relationships><Relationship Id="h" Type="x/hyperlink" Target="https://example.org/t" TargetMode="External"/>' +
          '<Relationship Id="c" Type="x/comments" Target="../comments/comment1.xml"/></Relationships>',
        'ppt/slides/_rels/slide2.xml.rels': relations({ c: ['comments', '../comments/modern2.xml'] }),
        'ppt/commentAuthors.xml': '<p:cmAuthorLst xmlns:p="p"><p:cmAuthor id="0" name="Rita"/></p:cmAuthorLst>',
        'ppt/authors.xml': '<p188:authorLst xmlns:p188="p"><p188:author id="{1}" name="Bo"/></p188:authorLst>',
        'ppt/comments/comment1.xml':
          '<p:cmLst xmlns:p="p"><p:cm authorId="0"><p:text>Which terms?</p:text></p:cm></p:cmLst>',
        'ppt/comments/modern2.xml':
          '<p188:cmLst xmlns:p188="p" xmlns:a="a"><p188:cm authorId="{1}"><p188:replyLst><p188:reply authorId="{1}"><p188:txBody><a:p><a:r><a:t>Done</a:t></a:r></a:p></p188:txBody></p188:reply></p188:replyLst>' +
          '<p188:txBody><a:p><a:r><a:t>Shorter</a:t></a:r></a:p></p188:txBody></p188:cm></p188:cmLst>',
      },
    );
    expect(chunksOf(outcome).map(([, , body]) => body)).toEqual([
      'See the terms (https://example.org/t)\n\nConfidential\n\nRita: Which terms?',
      '(This slide is hidden.)\n\nSecond\n\nBo: Done\nBo: Shorter',
    ]);
  });
});
