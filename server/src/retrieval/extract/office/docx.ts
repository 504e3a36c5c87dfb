// Word documents: paragraphs, lists, tables and notes, under their headings, with what stands beside the body: headers
// and footers once, comments where they are referred to, drawings.
import type { Extract } from '../source.ts';
import { createDocumentWriter, type DocumentWriter } from '../writers/document-writer.ts';
import { readXml } from '../xml.ts';
import { openZip, type Zip } from '../../../platform/zip/read-zip.ts';
import { readReferences } from './drawings.ts';
import { mainPart, relatedParts, readRelations, readAttribute } from './package.ts';
import { createBodyReader, type WordDocument } from './word-body.ts';
import { readNumbering } from './word-numbering.ts';
import { readStyles } from './word-styles.ts';

export const extractDocx: Extract = async (path, sink) => {
  const zip = await openZip(path);
  const main = await mainPart(zip, 'word/document.xml');
  const relations = await readRelations(zip, main);
  const part = (kind: string) => relatedParts(zip, relations, kind);
  const styles = await readStyles(zip, part('styles')[0]);
  const document: WordDocument = {
    styles,
    numbering: await readNumbering(zip, part('numbering')[0], styles.listOf),
    comments: await readComments(zip, part('comments')[0]),
    notes: new Map(),
  };
  const writer = createDocumentWriter(sink);
  const told = new Set<string>();
  for (const header of part('header')) await readOnce(zip, header, document, writer, told);
  await readPart(zip, main, document, writer);
  for (const kind of ['footnotes', 'endnotes']) {
    for (const notes of part(kind)) await readPart(zip, notes, document, writer);
  }
  for (const footer of part('footer')) await readOnce(zip, footer, document, writer, told);
  writer.endSection();
  return null;
};

async function readPart(zip: Zip, part: string, document: WordDocument, writer: DocumentWriter): Promise<void> {
  await readXml(zip, part, createBodyReader(document, await readReferences(zip, part), writer));
}

/** A header or footer, which every page shows, and often several parts of a document bring. */
async function readOnce(
  zip: Zip,
  part: string,
  document: WordDocument,
  writer: DocumentWriter,
  told: Set<string>,
): Promise<void> {
  const lines: string[] = [];
  await readPart(zip, part, document, {
    add: (paragraph) => lines.push(paragraph),
    table: (rows) => lines.push(...rows),
    enter() {},
    endSection() {},
  });
  const text = lines.join('\n');
  if (text === '' || told.has(text)) return;
  told.add(text);
  writer.add(text);
}

/** 'Rita Reviewer: Not before June.' by the ids of the comments. */
async function readComments(zip: Zip, part: string | undefined): Promise<Map<string, string>> {
  const comments = new Map<string, string>();
  if (part === undefined) return comments;
  let comment: { id: string; author: string; paragraphs: string[] } = { id: '', author: '', paragraphs: [] };
  let isInText = false;
  await readXml(zip, part, {
    open(tag, attributes) {
      if (tag === 'comment') {
        const author = readAttribute(attributes, 'author')?.trim() ?? '';
        comment = { id: readAttribute(attributes, 'id') ?? '', author, paragraphs: [] };
      }
      if (tag === 'p') comment.paragraphs.push('');
      if (tag === 't') isInText = true;
      if (tag === 'br' || tag === 'tab') comment.paragraphs[comment.paragraphs.length - 1] += ' ';
    },
    close(tag) {
      if (tag === 't') isInText = false;
      if (tag !== 'comment') return;
      const text = comment.paragraphs
        .map((one) => one.trim())
        .join(' ')
        .trim();
      if (text !== '') comments.set(comment.id, comment.author === '' ? text : `${comment.author}: ${text}`);
    },
    text(more) {
      if (isInText && comment.paragraphs.length > 0) comment.paragraphs[comment.paragraphs.length - 1] += more;
    },
  });
  return comments;
}
