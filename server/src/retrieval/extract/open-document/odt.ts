// Texts of LibreOffice and its like: paragraphs, lists, tables and notes, under their headings.
import type { Extract } from '../source.ts';
import { createDocumentWriter, createTables } from '../writers/document-writer.ts';
import { readXml } from '../xml.ts';
import { CONTENT, openPackage } from './package.ts';
import { createTextReader, TABLE } from './text-reader.ts';

export const extractOdt: Extract = async (path, sink) => {
  const zip = await openPackage(path);
  const writer = createDocumentWriter(sink);
  const tables = createTables(writer, TABLE);
  let lists = 0;
  const reader = createTextReader(
    ({ text, level }) => {
      if (tables.add(`${text}\n`)) return;
      if (level !== null) writer.enter(level, text);
      writer.add(`${lists > 0 ? '- ' : ''}${text.trim()}`);
    },
    {
      open(tag) {
        if (tag === 'list') lists++;
        tables.open(tag);
      },
      close(tag) {
        if (tag === 'list') lists--;
        tables.close(tag);
      },
    },
  );
  await readXml(zip, CONTENT, reader);
  writer.endSection();
  return null;
};
