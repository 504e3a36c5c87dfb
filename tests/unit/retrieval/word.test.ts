// What a person sees in a Word document beside the text of its body.
import { describe, expect, it } from 'vitest';
import {
  chunksOf,
  extractHere,
  extractPath,
  makeDocx,
  paragraph,
  relations,
  textOf,
  types,
} from '../../support/retrieval/documents.ts';

const fixture = (name: string) => new URL(`../../fixtures/documents/office/${name}`, import.meta.url).pathname;
const read = async (body: string, parts: Record<string, string> = {}) =>
  textOf(await extractHere(makeDocx(body, parts), types.docx));
const run = (text: string, properties = '') =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const field = (instruction: string, shown: string) =>
  `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>${instruction}</w:instrText></w:r>` +
  `<w:r><w:fldChar w:fldCharType="separate"/></w:r>${run(shown)}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;
const listed = (text: string, numId: number, level?: number) =>
  paragraph(
    text,
    `<w:numPr>${level === undefined ? '' : `<w:ilvl w:val="${level}"/>`}<w:numId w:val="${numId}"/></w:numPr>`,
  );
const level = (at: number, format: string, text: string, more = '') =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`;
const withParts = (parts: Record<string, [type: string, target: string]>) => ({
  'word/_rels/document.xml.rels': relations(parts),
});
const numbered = (definitions: string, styles = '') => ({
  ...withParts({ n: ['numbering', 'numbering.xml'], s: ['styles', 'styles.xml'] }),
  'word/numbering.xml': `<w:numbering xmlns:w="w">${definitions}</w:numbering>`,
  'word/styles.xml': `<w:styles xmlns:w="w">${styles}</w:styles>`,
});

describe('files of the kind that offices send', () => {
  it.each([
    ['contract-clauses.docx', ['1. Definitions', '1.2 Term means two years', '2.2 The cap is 10,000 EUR']],
    ['checklist.docx', ['[x] Fire alarm tested', '[ ] Exits are free']],
    ['letter-header.docx', ['Invoice no. KX-20417 of Muster Paper Ltd', 'Account DE00 1234']],
    ['reviewed.docx', ['We deliver in May. [Rita Reviewer: Legal says June at the earliest.]']],
  ])('%s', async (name, parts) => {
    const text = textOf(await extractPath(fixture(name), types.docx));
    for (const part of parts) expect(text.split(part)).toHaveLength(2);
  });
});

describe('numbers of lists', () => {
  const clauses = level(0, 'upperRoman', 'Article %1') + level(1, 'decimal', '%1.%2', '<w:isLgl/>');
  const items = level(2, 'lowerLetter', '(%3)') + level(3, 'lowerRoman', '%4.');

  it('are those that Word shows, at all levels', async () => {
    const definitions = `<w:abstractNum w:abstractNumId="7">${clauses}${items}</w:abstractNum><w:num w:numId="3"><w:abstractNumId w:val="7"/></w:num>`;
    const levels = [0, 1, 2, 2, 3, 3, 1, 2, 0, 1];
    const body = levels.map((at, n) => listed(`clause ${n}`, 3, at)).join(paragraph('between'));
    expect((await read(body, numbered(definitions))).replaceAll('\n\nbetween', '').split('\n\n')).toEqual([
      'Article I clause 0',
      '1.1 clause 1',
      '(a) clause 2',
      '(b) clause 3',
      'i. clause 4',
      'ii. clause 5',
      '1.2 clause 6',
      '(a) clause 7',
      'Article II clause 8',
      '2.1 clause 9',
    ]);
  });

  it.each([
    ['decimalZero', '01 02 09 10'],
    ['upperRoman', 'I II IX X'],
    ['lowerLetter', 'a b i j'],
    ['ordinal', '1st 2nd 9th 10th'],
    ['ordinalText', 'First Second Ninth Tenth'],
    ['cardinalText', 'One Two Nine Ten'],
    ['decimalEnclosedCircle', '① ② ⑨ ⑩'],
    ['decimalFullWidth', '１ ２ ９ １０'],
    ['chineseCounting', '一 二 九 十'],
    ['ideographDigital', '一 二 九 一〇'],
    ['ideographTraditional', '甲 乙 壬 癸'],
    ['ganada', '가 나 자 차'],
    ['aiueoFullWidth', 'ア イ ケ コ'],
    ['russianUpper', 'А Б И К'],
    ['hebrew2', 'א ב ט י'],
    ['custom" w:format="001, 002, 003, ...', '001 002 009 010'],
    ['unheardOf', '1 2 9 10'],
  ])('are written in the format %s', async (format, expected) => {
    const definitions = `<w:abstractNum w:abstractNumId="0">${level(0, format, '%1:')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`;
    const lines = (await read(listed('oil', 1, 0).repeat(10), numbered(definitions))).split('\n\n');
    const [first, second, ninth, tenth] = [0, 1, 8, 9].map((at) => lines[at]?.replace(/: oil$/, ''));
    expect(`${first} ${second} ${ninth} ${tenth}`).toBe(expected);
  });

  it('are English words up to ninety-nine', async () => {
    const definitions = `<w:abstractNum w:abstractNumId="0">${level(0, 'ordinalText', '%1')}${level(1, 'cardinalText', '%2')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`;
    const text = await read(listed('oil', 1, 0).repeat(32) + listed('wick', 1, 1).repeat(42), numbered(definitions));
    for (const one of [
      'Fifth oil',
      'Eighth oil',
      'Twelfth oil',
      'Twentieth oil',
      'Twenty-first oil',
      'Thirty-second oil',
    ])
      expect(text).toContain(one);
    for (const one of ['Thirteen wick', 'Forty wick', 'Forty-two wick']) expect(text).toContain(one);
  });

  it('begin anew where a list is told to, and go on where another is of the same kind', async () => {
    const definitions =
      `<w:abstractNum w:abstractNumId="0">${level(0, 'decimal', '%1)')}</w:abstractNum>` +
      '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="0"/></w:num>' +
      '<w:num w:numId="4"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num>';
    const body = [1, 1, 2, 4, 4].map((numId, n) => listed(`step ${n}`, numId, 0)).join('');
    expect(await read(body, numbered(definitions))).toBe(
      '1) step 0\n\n2) step 1\n\n3) step 2\n\n5) step 3\n\n6) step 4',
    );
  });

  it('come from styles, those of headings too, and a paragraph may take itself out', async () => {
    const definitions =
      `<w:abstractNum w:abstractNumId="0">${level(0, 'decimal', '%1', '<w:pStyle w:val="H1"/>')}` +
      `${level(1, 'decimal', '%1.%2', '<w:pStyle w:val="H2"/>')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`;
    const style = (id: string, name: string, more: string) =>
      `<w:style w:styleId="${id}"><w:name w:val="${name}"/>${more}</w:style>`;
    const list = '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>';
    const styles =
      style('H1', 'heading 1', list) +
      style('H2', 'heading 2', list) +
      style('Mine', 'My clause', '<w:basedOn w:val="H2"/>');
    const styled = (id: string, text: string, more = '') => paragraph(text, `<w:pStyle w:val="${id}"/>${more}`);
    const body =
      styled('H1', 'Scope') +
      styled('H2', 'Goods') +
      styled('H1', 'Price') +
      styled('H2', 'Fee') +
      styled('H1', 'Annex', '<w:numPr><w:numId w:val="0"/></w:numPr>') +
      paragraph('text '.repeat(200));
    const chunks = chunksOf(await extractHere(makeDocx(body, numbered(definitions, styles)), types.docx));
    const text = chunks.map(([, , chunk]) => chunk).join('\n\n');
    expect(text).toMatch(/^1 Scope\n\n1\.1 Goods\n\n2 Price\n\n2\.1 Fee\n\nAnnex\n\n/);
  });

  it('are bullets where the list has bullets, or is nowhere described', async () => {
    const definitions = `<w:abstractNum w:abstractNumId="0">${level(0, 'bullet', '\uf0b7')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`;
    expect(await read(listed('oil', 1, 0) + listed('wick', 9, 0), numbered(definitions))).toBe('- oil\n\n- wick');
  });
});

describe('boxes to tick', () => {
  it.each([
    ['☒ in a paragraph', '<w:r><w:t>☒</w:t></w:r>', 1, '[x] Lamp is lit'],
    ['in the sign of a font', '<w:r><w:sym w:font="MS Gothic" w:char="2610"/></w:r>', 0, '[ ] Lamp is lit'],
  ])('of content controls are told by their state (%s)', async (_name, content, checked, expected) => {
    const box = `<w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="${checked}"/></w14:checkbox></w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`;
    expect(await read(`<w:p>${box}${run(' Lamp is lit')}</w:p>`)).toBe(expected);
  });

  it('show the state of older form fields, and what is chosen in their lists', async () => {
    const old = (data: string) =>
      `<w:r><w:fldChar w:fldCharType="begin"><w:ffData>${data}</w:ffData></w:fldChar></w:r>`;
    const end = '<w:r><w:fldChar w:fldCharType="end"/></w:r>';
    const boxes = [
      '<w:checked/>',
      '<w:default w:val="1"/>',
      '<w:default w:val="0"/>',
      '<w:default w:val="1"/><w:checked w:val="0"/>',
    ]
      .map((state, n) => `<w:p>${old(`<w:checkBox><w:sizeAuto/>${state}</w:checkBox>`)}${end}${run(` box ${n}`)}</w:p>`)
      .join('');
    const list = `<w:p>${run('Size: ')}${old('<w:ddList><w:result w:val="1"/><w:listEntry w:val="small"/><w:listEntry w:val="large"/></w:ddList>')}${end}</w:p>`;
    expect(await read(boxes + list)).toBe('[x] box 0\n\n[x] box 1\n\n[ ] box 2\n\n[ ] box 3\n\nSize: large');
  });

  it('are recognized when they are Wingdings signs', async () => {
    const sign = (code: string) => `<w:r><w:sym w:font="Wingdings" w:char="${code}"/></w:r>`;
    expect(await read(`<w:p>${sign('F0FE')}${run(' yes ')}${sign('F0A8')}${run(' no')}</w:p>`)).toBe('[x] yes [ ] no');
  });
});

describe('what stands beside the body', () => {
  it('headers come first and footers last, each once however many parts bring them', async () => {
    const part = (tag: string, text: string) => `<w:${tag} xmlns:w="w">${paragraph(text)}</w:${tag}>`;
    const text = await read(paragraph('Dear all'), {
      ...withParts({
        a: ['header', 'header1.xml'],
        b: ['header', 'header2.xml'],
        c: ['footer', 'footer1.xml'],
        d: ['footer', 'footer2.xml'],
      }),
      'word/header1.xml': part('hdr', 'Muster Paper Ltd'),
      'word/header2.xml': part('hdr', 'Muster Paper Ltd'),
      'word/footer1.xml': part('ftr', 'Account 12'),
      'word/footer2.xml': part('ftr', 'Page 1'),
    });
    expect(text).toBe('Muster Paper Ltd\n\nDear all\n\nAccount 12\n\nPage 1');
  });

  it('notes are told apart by their marks', async () => {
    const note = (kind: string, id: number, text: string) => `<w:${kind} w:id="${id}">${paragraph(text)}</w:${kind}>`;
    const refer = (kind: string, id: number) => `<w:r><w:${kind}Reference w:id="${id}"/></w:r>`;
    const text = await read(
      `<w:p>${run('Oil')}${refer('footnote', 5)}${run(' and wick')}${refer('footnote', 2)}${refer('endnote', 2)}</w:p>`,
      {
        ...withParts({ f: ['footnotes', 'footnotes.xml'], e: ['endnotes', 'endnotes.xml'] }),
        'word/footnotes.xml': `<w:footnotes xmlns:w="w">${note('footnote', 2, 'of cotton')}${note('footnote', 5, 'of whales')}</w:footnotes>`,
        'word/endnotes.xml': `<w:endnotes xmlns:w="w">${note('endnote', 2, 'as in 1880')}</w:endnotes>`,
      },
    );
    expect(text).toBe('Oil[1] and wick[2][e1]\n\n[2] of cotton\n\n[1] of whales\n\n[e1] as in 1880');
  });

  it('tracked changes are told as they would be accepted, hidden text is not told', async () => {
    const body =
      `<w:p>${run('The fee is ')}<w:del w:author="B"><w:r><w:delText>300</w:delText></w:r></w:del>` +
      `<w:ins w:author="B">${run('400')}</w:ins>${run(' EUR')}${run(' secret', '<w:vanish/>')}</w:p>`;
    expect(await read(body)).toBe('The fee is 400 EUR');
  });

  it('SmartArt, charts and text boxes are told where they stand', async () => {
    const box = `<w:p><w:r><w:pict><v:textbox><w:txbxContent>${paragraph('In the box')}</w:txbxContent></v:textbox></w:pict></w:r></w:p>`;
    const body =
      paragraph('Before') +
      '<w:p><w:r><w:drawing><dgm:relIds r:dm="d" r:lo="l"/></w:drawing></w:r></w:p>' +
      '<w:p><w:r><w:drawing><c:chart r:id="c"/></w:drawing></w:r></w:p>' +
      box +
      paragraph('After');
    const text = await read(body, {
      ...withParts({ d: ['diagramData', 'diagrams/data1.xml'], c: ['chart', 'charts/chart1.xml'] }),
      'word/diagrams/data1.xml':
        '<dgm:dataModel xmlns:dgm="d" xmlns:a="a"><dgm:pt><dgm:t><a:p><a:r><a:t>Collect</a:t></a:r></a:p></dgm:t></dgm:pt>' +
        '<dgm:pt><dgm:t><a:p><a:r><a:t>Ship</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:dataModel>',
      'word/charts/chart1.xml': CHART,
    });
    expect(text).toBe(
      'Before\n\nCollect\n\nShip\n\nTons by year\n\n | Oil | Coal\n\n1880 | 12.5 | 3\n\n1881 | 14\n\nIn the box\n\nAfter',
    );
  });

  it('text boxes inside of text boxes, of tables and of headers are told once, in either form', async () => {
    const box = (content: string) =>
      `<w:r><w:pict><v:textbox><w:txbxContent>${content}</w:txbxContent></v:textbox></w:pict></w:r>`;
    const both = (text: string) =>
      `<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:txbx><w:txbxContent>${paragraph(text)}</w:txbxContent></wps:txbx></w:drawing></mc:Choice>` +
      `<mc:Fallback><w:pict><v:textbox><w:txbxContent>${paragraph(text)}</w:txbxContent></v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>`;
    const nested = `<w:p>${box(`<w:p>${run('Middle')}${box(paragraph('Inner'))}</w:p>`)}${run('Outer')}</w:p>`;
    const table = `<w:tbl><w:tr><w:tc><w:p>${run('Cell')}${both('In the cell')}</w:p></w:tc></w:tr></w:tbl>`;
    const text = await read(nested + table + paragraph('After'), {
      ...withParts({ h: ['header', 'header1.xml'] }),
      'word/header1.xml': `<w:hdr xmlns:w="w" xmlns:mc="m" xmlns:wps="s" xmlns:v="v"><w:p>${both('In the header')}</w:p></w:hdr>`,
    });
    for (const part of ['Outer', 'Middle', 'Inner', 'Cell', 'In the cell', 'In the header', 'After'])
      expect(text.split(part)).toHaveLength(2);
    expect(text.startsWith('In the header')).toBe(true);
  });

  it('the addresses of links stand behind their words', async () => {
    const rels =
      '<Relationships><Relationship Id="a" Type="x/hyperlink" Target="https://example.org/terms" TargetMode="External"/>' +
      '<Relationship Id="b" Type="x/hyperlink" Target="file:///C:/secret.txt" TargetMode="External"/></Relationships>';
    const body =
      `<w:p>${run('See ')}<w:hyperlink r:id="a">${run('the ')}${run('terms')}</w:hyperlink>${run(' now.')}</w:p>` +
      `<w:p>${field(' HYPERLINK "https://example.org/help" ', 'Help')}</w:p>` +
      `<w:p>${field(' HYPERLINK "http://www.example.org/" ', 'www.example.org')}</w:p>` +
      `<w:p><w:hyperlink r:id="b">${run('File')}</w:hyperlink> ${field(' PAGE ', '3')}</w:p>`;
    expect(await read(body, { 'word/_rels/document.xml.rels': rels })).toBe(
      'See the terms (https://example.org/terms) now.\n\nHelp (https://example.org/help)\n\nwww.example.org\n\nFile3',
    );
  });
});

const cache = (kind: string, values: readonly string[]) =>
  `<c:${kind}Cache>${values.map((value, at) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`).join('')}</c:${kind}Cache>`;
const series = (name: string, values: readonly string[]) =>
  `<c:ser><c:tx><c:strRef><c:f>S!$A$1</c:f>${cache('str', [name])}</c:strRef></c:tx>` +
  `<c:cat><c:strRef>${cache('str', ['1880', '1881'])}</c:strRef></c:cat><c:val><c:numRef>${cache('num', values)}</c:numRef></c:val></c:ser>`;
const CHART =
  '<c:chartSpace xmlns:c="c" xmlns:a="a"><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Tons by year</a:t></a:r></a:p></c:rich></c:tx></c:title>' +
  `<c:plotArea><c:barChart>${series('Oil', ['12.5', '14.000000000000002'])}${series('Coal', ['3'])}</c:barChart></c:plotArea></c:chart></c:chartSpace>`;
