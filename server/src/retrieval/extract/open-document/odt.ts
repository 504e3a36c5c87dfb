// Texts of LibreOffice and its like: paragraphs, lists, tables and notes, under their headings; headers and footers once.
import type { Extract } from '../source.ts';
import { createDocumentWriter, createTables } from '../writers/document-writer.ts';
import { readXml, type XmlReader } from '../xml.ts';
import type { Zip } from '../../../platform/zip/read-zip.ts';
import { createNumbering, type OpenNumbering } from './numbering.ts';
import { readObjects } from './objects.ts';
import { CONTENT, openPackage, STYLES } from './package.ts';
import { createTextReader, TABLE } from './text-reader.ts';

export const extractOdt: Extract = async (path, sink) => {
  const zip = await openPackage(path);
  const writer = createDocumentWriter(sink);
  const tables = createTables(writer, TABLE);
  const numbering = createNumbering();
  const { headers, footers } = await readFurniture(zip, numbering);
  for (const header of headers) writer.add(header);
  const reader = createTextReader(
    ({ text, level }) => {
      const told = `${numbering.label(level)}${text.trim()}`;
      if (tables.add(`${told}\n`)) return;
      if (level !== null) writer.enter(level, told);
      writer.add(told);
    },
    {
      open(tag, attributes) {
        numbering.open(tag, attributes);
        tables.open(tag);
      },
      close(tag) {
        numbering.close(tag);
        tables.close(tag);
      },
    },
    await readObjects(zip),
  );
  await readXml(zip, CONTENT, reader);
  for (const footer of footers) writer.add(footer);
  writer.endSection();
  return null;
};

/** What the pages show above and below their text, each once; and the lists that styles describe. */
async function readFurniture(
  zip: Zip,
  numbering: OpenNumbering,
): Promise<{ headers: Set<string>; footers: Set<string> }> {
  const found = { headers: new Set<string>(), footers: new Set<string>() };
  if (!zip.has(STYLES)) return found;
  let lines: string[] | null = null;
  const others: XmlReader = {
    open(tag, attributes) {
      numbering.open(tag, attributes);
      if (/^(header|footer)(-left|-first)?$/.test(tag)) lines = [];
    },
    close(tag) {
      numbering.close(tag);
      if (!/^(header|footer)(-left|-first)?$/.test(tag) || !lines) return;
      if (lines.length > 0) found[tag.startsWith('header') ? 'headers' : 'footers'].add(lines.join('\n'));
      lines = null;
    },
  };
  await readXml(
    zip,
    STYLES,
    createTextReader(({ text }) => lines?.push(text.trim()), others),
  );
  return found;
}
