// Slides of LibreOffice and its like: a page for each slide, with its title as the heading, its text and its notes.
import type { Extract } from '../source.ts';
import { createTables } from '../writers/document-writer.ts';
import { readXml } from '../xml.ts';
import { readObjects } from './objects.ts';
import { CONTENT, openPackage } from './package.ts';
import { createTextReader, TABLE } from './text-reader.ts';

/** What a placeholder shows that is not of the slide. */
const FURNITURE = new Set(['page-number', 'date-time', 'footer', 'header', 'page']);

export const extractOdp: Extract = async (path, sink) => {
  const zip = await openPackage(path);
  let slides = 0;
  let title: string | null = null;
  let blocks: string[] = [];
  /** What kind of placeholder the open frames are, the innermost last. */
  const frames: string[] = [];
  const tables = createTables({ table: (rows) => void blocks.push(rows.join('\n')) }, TABLE);
  const reader = createTextReader(
    ({ text }) => {
      const kind = frames.at(-1) ?? '';
      if (FURNITURE.has(kind) || tables.add(`${text}\n`)) return;
      if (kind === 'title') title ??= text.replace(/\s+/g, ' ').trim();
      blocks.push(text.trim());
    },
    {
      open(tag, attributes) {
        if (tag === 'page') {
          slides++;
          title = null;
          blocks = [];
        }
        if (tag === 'frame') frames.push(attributes['presentation:class'] ?? '');
        tables.open(tag);
      },
      close(tag) {
        if (tag === 'frame') frames.pop();
        tables.close(tag);
        if (tag === 'page') sink.write({ page: slides, heading: title, text: blocks.join('\n\n') });
      },
    },
    await readObjects(zip),
  );
  await readXml(zip, CONTENT, reader);
  return slides;
};
