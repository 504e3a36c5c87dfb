// Word documents: paragraphs, lists, tables and notes, under their headings.
import { mainPart, readRelations } from './office.ts';
import type { Extract, Sink } from './source.ts';
import { createDocumentWriter, createTables } from './writers/document-writer.ts';
import { readXml, type XmlReader } from './xml.ts';
import { openZip, type Zip } from '../../platform/zip/read-zip.ts';

type Attributes = Readonly<Record<string, string>>;

/** What a paragraph's text is not: old text of a tracked change, field codes, and copies for older programs. */
const SKIPPED = new Set(['del', 'moveFrom', 'instrText', 'delText', 'Fallback']);

export const extractDocx: Extract = async (path, sink) => {
  const zip = await openZip(path);
  const main = await mainPart(zip, 'word/document.xml');
  const relations = [...(await readRelations(zip, main)).values()];
  const styles = relations.find(({ type }) => type === 'styles')?.target;
  const levels = styles !== undefined && zip.has(styles) ? await readHeadingLevels(zip, styles) : new Map();
  await readXml(zip, main, createBodyReader(sink, levels));
  for (const kind of ['footnotes', 'endnotes']) {
    const notes = relations.find(({ type }) => type === kind)?.target;
    if (notes !== undefined && zip.has(notes)) await readXml(zip, notes, createBodyReader(sink, levels));
  }
  return null;
};

/** The levels of headings, from 1, by the ids of their styles. Ids are translated, names are not. */
async function readHeadingLevels(zip: Zip, part: string): Promise<Map<string, number>> {
  const levels = new Map<string, number>();
  let style = '';
  await readXml(zip, part, {
    open(tag, attributes) {
      if (tag === 'style') style = valueOf(attributes, 'styleId') ?? '';
      if (tag === 'outlineLvl') setLevel(Number(valueOf(attributes, 'val')) + 1);
      if (tag !== 'name') return;
      const name = (valueOf(attributes, 'val') ?? '').toLowerCase();
      if (name === 'title') setLevel(1);
      setLevel(Number(/^heading (\d)$/.exec(name)?.[1]));
    },
  });
  return levels;

  function setLevel(level: number): void {
    if (style !== '' && level >= 1 && level <= 9) levels.set(style, level);
  }
}

interface Paragraph {
  text: string;
  level: number | null;
  isListed: boolean;
}

/** What begins or ends in a paragraph by a tag alone. */
const MARKS: Readonly<Record<string, string>> = { tab: '\t', ptab: '\t', br: '\n', cr: '\n', noBreakHyphen: '-' };

/** A paragraph inside a paragraph (a text box) is read before the outer one ends. */
function createBodyReader(sink: Sink, levels: ReadonlyMap<string, number>): XmlReader {
  const writer = createDocumentWriter(sink);
  const tables = createTables(writer);
  /** The open paragraphs, the innermost last. */
  const paragraphs: Paragraph[] = [];
  let skipping = 0;
  let inText = false;

  function endParagraph(): void {
    const paragraph = paragraphs.pop();
    if (!paragraph || paragraph.text.trim() === '') return;
    if (tables.add(`${paragraph.text}\n`)) return;
    if (paragraph.level !== null) writer.enter(paragraph.level, paragraph.text);
    writer.add(`${paragraph.isListed ? '- ' : ''}${paragraph.text.trim()}`);
  }

  function open(tag: string, attributes: Attributes): void {
    if (skipping > 0 || SKIPPED.has(tag)) {
      skipping++;
      return;
    }
    const paragraph = paragraphs.at(-1);
    if (tag === 'p') paragraphs.push({ text: '', level: null, isListed: false });
    else if (tag === 't') inText = true;
    else if (paragraph) readProperty(paragraph, tag, attributes);
    tables.open(tag);
  }

  function readProperty(paragraph: Paragraph, tag: string, attributes: Attributes): void {
    if (tag === 'pStyle') paragraph.level ??= levels.get(valueOf(attributes, 'val') ?? '') ?? null;
    if (tag === 'numPr') paragraph.isListed = true;
    if (tag === 'outlineLvl') {
      const level = Number(valueOf(attributes, 'val')) + 1;
      paragraph.level = level <= 9 ? level : null;
    }
    paragraph.text += MARKS[tag] ?? '';
  }

  function close(tag: string): void {
    if (skipping > 0) {
      skipping--;
      return;
    }
    if (tag === 't') inText = false;
    if (tag === 'p') endParagraph();
    tables.close(tag);
    if (tag === 'body' || tag === 'footnote' || tag === 'endnote') writer.endSection();
  }

  function text(more: string): void {
    const paragraph = paragraphs.at(-1);
    if (paragraph && inText && skipping === 0) paragraph.text += more;
  }

  return { open, close, text };
}

/** The value of an attribute, whatever its prefix. */
function valueOf(attributes: Attributes, name: string): string | undefined {
  for (const [key, value] of Object.entries(attributes)) {
    if (key === name || key.endsWith(`:${name}`)) return value;
  }
  return undefined;
}
