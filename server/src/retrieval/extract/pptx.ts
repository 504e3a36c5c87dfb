// Presentations: a slide is a page, its notes below its text.
import { lineOfCells, mainPart, readRelations, type Relation } from './office.ts';
import { Unreadable, type Extract } from './source.ts';
import { readXml } from './xml.ts';
import { openZip, type Zip } from '../../platform/zip/read-zip.ts';

interface Slide {
  title: string | null;
  text: string;
}

export const extractPptx: Extract = async (path, sink) => {
  const zip = await openZip(path);
  const main = await mainPart(zip, 'ppt/presentation.xml');
  const slides = await listSlides(zip, main);
  for (const [index, part] of slides.entries()) {
    if (!zip.has(part)) throw new Unreadable('damaged');
    const { title, text } = await readSlide(zip, part);
    const notes = partOf(await readRelations(zip, part), 'notesSlide');
    const spoken = notes !== undefined && zip.has(notes) ? (await readSlide(zip, notes)).text : '';
    sink.write({ page: index + 1, heading: title, text: `${text}\n\n${spoken}`.trim() });
  }
  return slides.length;
};

function partOf(relations: ReadonlyMap<string, Relation>, kind: string): string | undefined {
  return [...relations.values()].find(({ type }) => type === kind)?.target;
}

/** The parts of the slides in the order in which they are shown. */
async function listSlides(zip: Zip, main: string): Promise<string[]> {
  const relations = await readRelations(zip, main);
  const slides: string[] = [];
  await readXml(zip, main, {
    open(tag, attributes) {
      if (tag !== 'sldId') return;
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1];
      const relation = relations.get(id ?? '');
      if (relation?.type === 'slide') slides.push(relation.target);
    },
  });
  return slides;
}

/** What a placeholder shows that is not of the slide: its number, the date, the footer. */
const FURNITURE = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg']);

async function readSlide(zip: Zip, part: string): Promise<Slide> {
  const blocks: string[] = [];
  let title: string | null = null;
  let shape = { kind: '', paragraphs: [] as string[] };
  let row: string[] | null = null;
  let paragraph = '';
  let inText = false;
  let skipping = 0;

  function endParagraph(): void {
    if (row) row[row.length - 1] += `${paragraph}\n`;
    else if (paragraph.trim() !== '') shape.paragraphs.push(paragraph.trim());
    paragraph = '';
  }

  function endShape(): void {
    const text = shape.paragraphs.join('\n');
    if (/^(ctrT|t)itle$/.test(shape.kind)) title ??= text.replace(/\s+/g, ' ').trim() || null;
    if (text !== '' && !FURNITURE.has(shape.kind)) blocks.push(text);
    shape = { kind: '', paragraphs: [] };
  }

  await readXml(zip, part, {
    open(tag, attributes) {
      // Copies for older programs.
      if (skipping > 0 || tag === 'Fallback') skipping++;
      else if (tag === 'ph') shape.kind = attributes.type ?? 'body';
      else if (tag === 'tr') row = [];
      else if (tag === 'tc') row?.push('');
      else if (tag === 'br') paragraph += '\n';
      else if (tag === 'tab') paragraph += '\t';
      else if (tag === 't') inText = true;
    },
    close(tag) {
      if (skipping > 0) {
        skipping--;
        return;
      }
      if (tag === 't') inText = false;
      if (tag === 'p') endParagraph();
      if (tag === 'tr') {
        const line = lineOfCells(row ?? []);
        row = null;
        if (line !== null) shape.paragraphs.push(line);
      }
      if (tag === 'sp' || tag === 'graphicFrame') endShape();
    },
    text(more) {
      if (inText && skipping === 0) paragraph += more;
    },
  });
  endShape();
  return { title, text: blocks.join('\n\n') };
}
