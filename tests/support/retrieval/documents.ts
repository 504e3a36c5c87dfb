// Files for the tests of extraction, and their text.
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ZipFault } from '@parley/server/platform/zip/read-zip';
import { createChunker } from '@parley/server/retrieval/chunk';
import { extractText } from '@parley/server/retrieval/extract/extract';
import { Unreadable } from '@parley/server/retrieval/extract/source';
import type { ExtractOutcome } from '@parley/server/retrieval/extracted';
import { strToU8, zipSync } from 'fflate';
import { createFolder } from '../folders.ts';

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const OPEN = 'application/vnd.oasis.opendocument';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

export const types = {
  pdf: 'application/pdf',
  docx: `${OFFICE}.wordprocessingml.document`,
  xlsx: `${OFFICE}.spreadsheetml.sheet`,
  pptx: `${OFFICE}.presentationml.presentation`,
  epub: 'application/epub+zip',
  odt: `${OPEN}.text`,
  ods: `${OPEN}.spreadsheet`,
  odp: `${OPEN}.presentation`,
  rtf: 'application/rtf',
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  eml: 'message/rfc822',
  msg: 'application/vnd.ms-outlook',
  mbox: 'application/mbox',
  ics: 'text/calendar',
  vcf: 'text/vcard',
  notebook: 'application/x-ipynb+json',
  html: 'text/html',
  markdown: 'text/markdown',
  csv: 'text/csv',
  plain: 'text/plain',
};

/**
 * The outcome of extraction in this thread. Errors other than `Unreadable` are thrown, where a worker sends 'damaged'.
 */
export async function extractHere(bytes: Uint8Array | string, mime: string): Promise<ExtractOutcome> {
  return extractPath(writeDocument(bytes), mime);
}

export async function extractPath(path: string, mime: string): Promise<ExtractOutcome> {
  try {
    const chunker = createChunker();
    let encoding: string | undefined;
    const sink = { write: chunker.write, onGuess: (guessed: string) => void (encoding = guessed) };
    const pages = await extractText({ path, mime }, sink);
    return { type: 'text', pages, ...chunker.finish(), ...(encoding !== undefined && { encoding }) };
  } catch (error) {
    if (error instanceof Unreadable || error instanceof ZipFault) return { type: 'unreadable', reason: error.reason };
    throw error;
  }
}

export function writeDocument(bytes: Uint8Array | string): string {
  const path = join(createFolder(), randomUUID());
  writeFileSync(path, bytes);
  return path;
}

/** The chunks of an outcome as [page, heading, body]. */
export function chunksOf(outcome: ExtractOutcome): [number | null, string | null, string][] {
  if (outcome.type !== 'text') throw new Error(`no text: ${outcome.reason}`);
  return outcome.chunks.map(({ page, heading, body }) => [page, heading, body]);
}

/** The text of all chunks. */
export function textOf(outcome: ExtractOutcome): string {
  return chunksOf(outcome)
    .map(([, , body]) => body)
    .join('\n');
}

export function makeZip(entries: Record<string, string | Uint8Array>): Uint8Array {
  const files = Object.entries(entries).map(([name, content]) => [
    name,
    typeof content === 'string' ? strToU8(content) : content,
  ]);
  return zipSync(Object.fromEntries(files));
}

/** @param parts more entries; `styles.xml` and `footnotes.xml` in `word/` are found by the document */
export function makeDocx(body: string, parts: Record<string, string> = {}): Uint8Array {
  return makeZip({
    'word/document.xml': `<w:document xmlns:w="w"><w:body>${body}</w:body></w:document>`,
    'word/_rels/document.xml.rels': relations({ s: ['styles', 'styles.xml'], f: ['footnotes', 'footnotes.xml'] }),
    ...parts,
  });
}

export function paragraph(text: string, properties = ''): string {
  return `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

/** A workbook of one sheet called 'Ships'. @param rows the content of `<sheetData>` */
export function makeXlsx(rows: string, parts: Record<string, string> = {}): Uint8Array {
  return makeZip({
    'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="Ships" sheetId="1" r:id="a"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': relations({
      a: ['worksheet', 'worksheets/sheet1.xml'],
      b: ['sharedStrings', 'sharedStrings.xml'],
      c: ['styles', '/xl/styles.xml'],
    }),
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    ...parts,
  });
}

export function relations(targets: Record<string, [type: string, target: string]>): string {
  const all = Object.entries(targets).map(
    ([id, [type, target]]) => `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`,
  );
  return `<Relationships>${all.join('')}</Relationships>`;
}

/** A PDF written by hand. @param objects bodies of the objects from 1; the first is the catalog */
export function makePdf(objects: readonly string[]): string {
  let pdf = '%PDF-1.7\n';
  const offsets: number[] = [];
  for (const [index, body] of objects.entries()) {
    offsets.push(pdf.length);
    pdf += `${index + 1} 0 obj\n${body}\nendobj\n`;
  }
  const start = pdf.length;
  pdf += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  for (const offset of offsets) pdf += `${String(offset).padStart(10, '0')} 00000 n \n`;
  return `${pdf}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
}

export function stream(content: string, entries = ''): string {
  return `<< /Length ${content.length} ${entries} >>\nstream\n${content}\nendstream`;
}

/** A PDF with a page for each content stream. */
export function makePdfPages(contents: readonly string[]): string {
  const kids = contents.map((_, index) => `${4 + index * 2} 0 R`).join(' ');
  return makePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${contents.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...contents.flatMap((content, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents ${5 + index * 2} 0 R ` +
        `/Resources << /Font << /F 3 0 R >> >> >>`,
      stream(content),
    ]),
  ]);
}

/** A content stream with a line at each height. */
export function lines(...texts: [text: string, y: number][]): string {
  return texts.map(([text, y]) => `BT /F 12 Tf 50 ${y} Td (${text}) Tj ET`).join('\n');
}

/**
 * A page with a line of a composite font that has no `ToUnicode`.
 * @param encoding as Adobe names it, `collection` too
 * @param codes hexadecimal
 */
export function makeCjkPdf(encoding: string, collection: string, codes: string): string {
  const system = `<< /Registry (Adobe) /Ordering (${collection}) /Supplement 0 >>`;
  return makePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [4 0 R] /Count 1 >>',
    `<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /${encoding} /DescendantFonts [6 0 R] >>`,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 5 0 R /Resources << /Font << /F 3 0 R >> >> >>',
    stream(`BT /F 12 Tf 50 700 Td <${codes}> Tj ET`),
    `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /X /CIDSystemInfo ${system} /FontDescriptor 7 0 R >>`,
    '<< /Type /FontDescriptor /FontName /X /Flags 4 >>',
  ]);
}

/** 60 pages, of which the seventh has a fact that no other has: too long to be shown whole. */
export function longPdf(bird = 'red kite'): string {
  const pages = Array.from({ length: 60 }, (_, at) => {
    const fact = at === 6 ? [[`The ${bird}s nest 23 metres above the mill.`, 640] as [string, number]] : [];
    const texts = Array.from({ length: 30 }, (__, n): [string, number] => [
      `Page ${at + 1}: line ${n} tells of rivers, weather and the people of valley ${(at * 31 + n) % 97}.`,
      620 - n * 15,
    ]);
    return lines(...fact, ...texts);
  });
  return makePdfPages(pages);
}
