// Slides of LibreOffice and its like: a page for each slide, with its title as the heading, its text and its notes.
import type { Extract } from '../source.ts';
import { createTables } from '../writers/document-writer.ts';
import { readXml, type XmlReader } from '../xml.ts';
import { readObjects } from './objects.ts';
import { CONTENT, openPackage, STYLES } from './package.ts';
import { createTextReader, TABLE } from './text-reader.ts';
import type { Zip } from '../../../platform/zip/read-zip.ts';

/** What a placeholder shows that is not of the slide. */
const FURNITURE = new Set(['page-number', 'date-time', 'footer', 'header', 'page']);

export const extractOdp: Extract = async (path, sink) => {
  const zip = await openPackage(path);
  const masters = await readMasters(zip);
  const looks = createLooks();
  let slides = 0;
  let title: string | null = null;
  let blocks: string[] = [];
  /** What kind of placeholder the open frames are, the innermost last. */
  const frames: string[] = [];
  const tables = createTables({ table: (rows) => void blocks.push(rows.join('\n')) }, TABLE);

  function beginSlide(attributes: Readonly<Record<string, string>>): void {
    slides++;
    title = null;
    const { isHidden, showsMaster, footer } = looks.ofSlide(attributes);
    blocks = isHidden ? ['(This slide is hidden.)'] : [];
    const master = attributes['draw:master-page-name'] ?? '';
    const lines = showsMaster ? (masters.get(master) ?? []) : [];
    // Each slide repeats them.
    if (showsMaster) masters.delete(master);
    for (const text of [...lines, footer]) if (text !== '') blocks.push(text);
  }

  const reader = createTextReader(
    ({ text }) => {
      const kind = frames.at(-1) ?? '';
      if (FURNITURE.has(kind) || tables.add(`${text}\n`)) return;
      if (kind === 'title') title ??= text.replace(/\s+/g, ' ').trim();
      blocks.push(text.trim());
    },
    {
      open(tag, attributes) {
        if (tag === 'page') beginSlide(attributes);
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
  await readXml(zip, CONTENT, {
    open(tag, attributes) {
      looks.reader.open?.(tag, attributes);
      reader.open?.(tag, attributes);
    },
    close(tag) {
      looks.reader.close?.(tag);
      reader.close?.(tag);
    },
    text(more) {
      looks.reader.text?.(more);
      reader.text?.(more);
    },
  });
  return slides;
};

interface Look {
  isHidden: boolean;
  showsMaster: boolean;
  /** Empty when it is told already. */
  footer: string;
}

/** What the styles and the footers that stand before the slides say of them. */
function createLooks(): { reader: XmlReader; ofSlide(attributes: Readonly<Record<string, string>>): Look } {
  const styles = new Map<string, Readonly<Record<string, string>>>();
  const footers = new Map<string, string>();
  const told = new Set<string>();
  let style = '';
  let declared: string | null = null;
  return {
    reader: {
      open(tag, attributes) {
        if (tag === 'style') style = attributes['style:name'] ?? '';
        else if (tag === 'drawing-page-properties') styles.set(style, attributes);
        else if (tag === 'footer-decl') footers.set((declared = attributes['presentation:name'] ?? ''), '');
      },
      close(tag) {
        if (tag === 'footer-decl') declared = null;
      },
      text(more) {
        if (declared !== null) footers.set(declared, (footers.get(declared) ?? '') + more);
      },
    },
    ofSlide(attributes) {
      const own = styles.get(attributes['draw:style-name'] ?? '') ?? {};
      const isShown = own['presentation:display-footer'] !== 'false';
      const footer = isShown ? (footers.get(attributes['presentation:use-footer-name'] ?? '') ?? '').trim() : '';
      const look = {
        isHidden: own['presentation:visibility'] === 'hidden',
        showsMaster: own['presentation:background-objects-visible'] !== 'false',
        footer: told.has(footer) ? '' : footer,
      };
      told.add(footer);
      return look;
    },
  };
}

// The masters of slides: what stands on them beside the places for the texts of the slides.

/** The lines of each master, by its name. */
async function readMasters(zip: Zip): Promise<Map<string, string[]>> {
  const masters = new Map<string, string[]>();
  if (!zip.has(STYLES)) return masters;
  let lines: string[] | null = null;
  let notes = 0;
  /** Whether the open frames are placeholders, the innermost last: they show prompts, or what slides declare. */
  const frames: boolean[] = [];
  const reader = createTextReader(
    ({ text }) => {
      if (notes === 0 && frames.at(-1) !== true) lines?.push(text.trim());
    },
    {
      open(tag, attributes) {
        if (tag === 'master-page') masters.set(attributes['style:name'] ?? '', (lines = []));
        else if (tag === 'notes') notes++;
        else if (tag === 'frame') frames.push(attributes['presentation:class'] !== undefined);
      },
      close(tag) {
        if (tag === 'master-page') lines = null;
        else if (tag === 'notes') notes--;
        else if (tag === 'frame') frames.pop();
      },
    },
  );
  await readXml(zip, STYLES, reader);
  return masters;
}
