// Spreadsheets: each sheet as rows under its first one, cells as they are shown, with what stands beside them: comments,
// text boxes, charts, headers and footers.
import type { Extract } from '../source.ts';
import { readXml } from '../xml.ts';
import { openZip, type Zip } from '../../../platform/zip/read-zip.ts';
import { loadFormats, type FormatCode } from './cell-format.ts';
import { readSheetDrawings } from './drawings.ts';
import { mainPart, relatedParts, readLinks, readRelations, type Relation } from './package.ts';
import { CELL_LENGTH, createSheetReader } from './sheet-reader.ts';

interface Sheets {
  sheets: { name: string; part: string; isHidden: boolean }[];
  /** Whether days are counted from 1904. */
  isFrom1904: boolean;
}

export const extractXlsx: Extract = async (path, sink) => {
  const zip = await openZip(path);
  const main = await mainPart(zip, 'xl/workbook.xml');
  const relations = await readRelations(zip, main);
  const { sheets, isFrom1904 } = await readSheets(zip, main);
  const codes = await readFormats(zip, relatedParts(zip, relations, 'styles')[0]);
  const strings = await readStrings(zip, relatedParts(zip, relations, 'sharedStrings')[0]);
  const workbook = { strings, codes, formats: await loadFormats(codes, isFrom1904) };
  const people = await readPeople(zip, relations);
  for (const { name, part, isHidden } of sheets) {
    const heading = isHidden ? `${name} (hidden)` : name;
    const comments = await readSheetComments(zip, part, people);
    const links = await readSheetLinks(zip, part);
    const { reader, finish } = createSheetReader(heading, workbook, { comments, links }, sink);
    await readXml(zip, part, reader);
    const beside = [...finish(), ...(await readSheetDrawings(zip, part))];
    if (beside.length > 0) sink.write({ page: null, heading, text: beside.join('\n'), columns: '' });
  }
  return null;
};

async function readSheets(zip: Zip, main: string): Promise<Sheets> {
  const relations = await readRelations(zip, main);
  const found: Sheets = { sheets: [], isFrom1904: false };
  await readXml(zip, main, {
    open(tag, attributes) {
      if (tag === 'workbookPr') found.isFrom1904 = /^(1|true)$/.test(attributes.date1904 ?? '');
      if (tag !== 'sheet') return;
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1];
      const { type = '', target = '' } = relations.get(id ?? '') ?? {};
      if ((type !== 'worksheet' && type !== 'chartsheet') || !zip.has(target)) return;
      const isHidden = /^(hidden|veryHidden)$/.test(attributes.state ?? '');
      found.sheets.push({ name: attributes.name ?? '', part: target, isHidden });
    },
  });
  return found;
}

/** The addresses of links by the cells that they are in; they stand behind the rows, so the sheet is read once more. */
async function readSheetLinks(zip: Zip, sheet: string): Promise<Map<string, string>> {
  const links = new Map<string, string>();
  const targets = await readLinks(zip, sheet);
  if (targets.size === 0) return links;
  await readXml(zip, sheet, {
    open(tag, attributes) {
      if (tag !== 'hyperlink') return;
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1];
      const address = targets.get(id ?? '');
      if (address !== undefined) links.set(attributes.ref?.split(':')[0] ?? '', address);
    },
  });
  return links;
}

/** The texts that cells share, without how they are pronounced. */
async function readStrings(zip: Zip, part: string | undefined): Promise<string[]> {
  const strings: string[] = [];
  if (part === undefined || !zip.has(part)) return strings;
  let text = '';
  let inText = false;
  let inPronunciation = false;
  await readXml(zip, part, {
    open(tag) {
      if (tag === 'si') text = '';
      if (tag === 't') inText = true;
      if (tag === 'rPh') inPronunciation = true;
    },
    close(tag) {
      if (tag === 'si') strings.push(text);
      if (tag === 't') inText = false;
      if (tag === 'rPh') inPronunciation = false;
    },
    text(more) {
      if (inText && !inPronunciation && text.length < CELL_LENGTH) text += more;
    },
  });
  return strings;
}

/** The formats of numbers by the numbers of styles. */
async function readFormats(zip: Zip, part: string | undefined): Promise<FormatCode[]> {
  const codes: FormatCode[] = [];
  if (part === undefined || !zip.has(part)) return codes;
  const own = new Map<string, string>();
  let inCellStyles = false;
  await readXml(zip, part, {
    open(tag, { numFmtId = '', formatCode = '' }) {
      if (tag === 'numFmt') own.set(numFmtId, formatCode);
      if (tag === 'cellXfs') inCellStyles = true;
      if (tag === 'xf' && inCellStyles) codes.push(own.get(numFmtId) ?? (Number(numFmtId) || 0));
    },
    close(tag) {
      if (tag === 'cellXfs') inCellStyles = false;
    },
  });
  return codes;
}

// Comments on cells: notes of old, and the threads of newer versions.

/** The names of those who wrote threads, by their ids. */
async function readPeople(zip: Zip, relations: ReadonlyMap<string, Relation>): Promise<Map<string, string>> {
  const people = new Map<string, string>();
  for (const part of relatedParts(zip, relations, 'person')) {
    await readXml(zip, part, {
      open(tag, { id, displayName }) {
        if (tag === 'person' && id !== undefined && displayName) people.set(id, displayName);
      },
    });
  }
  return people;
}

/** 'Rita: Which year?' by the addresses of cells; the messages of a thread are joined. */
async function readSheetComments(
  zip: Zip,
  sheet: string,
  people: ReadonlyMap<string, string>,
): Promise<Map<string, string>> {
  const relations = await readRelations(zip, sheet);
  const threads = new Map<string, string>();
  for (const part of relatedParts(zip, relations, 'threadedComment')) {
    await readComments(zip, part, (address, writer, text) => {
      const before = threads.get(address);
      const told = withWriter(people.get(writer) ?? '', text);
      threads.set(address, before === undefined ? told : `${before}; ${told}`);
    });
  }
  const notes = new Map<string, string>();
  for (const part of relatedParts(zip, relations, 'comments')) {
    await readComments(zip, part, (address, writer, text) => notes.set(address, withWriter(writer, text)));
  }
  // Older programs are shown a copy of each thread as a note.
  return new Map([...notes, ...threads]);
}

/** Excel begins a note by the name of who writes it. */
function withWriter(writer: string, text: string): string {
  return writer === '' || text.startsWith(`${writer}:`) ? text : `${writer}: ${text}`;
}

async function readComments(
  zip: Zip,
  part: string,
  end: (address: string, writer: string, text: string) => void,
): Promise<void> {
  const authors: string[] = [];
  let comment: { address: string; writer: string; text: string } | null = null;
  /** The open elements whose text is told. */
  let inText = 0;
  let inAuthor = false;
  await readXml(zip, part, {
    open(tag, { ref = '', authorId, personId }) {
      if (tag === 'author') {
        authors.push('');
        inAuthor = true;
      }
      if (tag === 'comment' || tag === 'threadedComment') {
        comment = { address: ref, writer: personId ?? authors[Number(authorId)] ?? '', text: '' };
      }
      if (tag === 't' || tag === 'text') inText++;
    },
    close(tag) {
      if (tag === 'author') inAuthor = false;
      if (tag === 't' || tag === 'text') inText--;
      if ((tag !== 'comment' && tag !== 'threadedComment') || !comment) return;
      const text = comment.text.replace(/\s+/g, ' ').trim();
      if (text !== '') end(comment.address, comment.writer.trim(), text);
      comment = null;
    },
    text(more) {
      if (inAuthor) authors[authors.length - 1] += more;
      else if (comment && inText > 0) comment.text += more;
    },
  });
}
