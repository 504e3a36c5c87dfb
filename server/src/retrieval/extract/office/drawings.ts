// What stands in the drawings of Word, Excel and PowerPoint: the texts of SmartArt and of shapes, and charts.
import { lineOfCells, relatedParts, readLinks, readRelations } from './package.ts';
import { readXml } from '../xml.ts';
import type { Zip } from '../../../platform/zip/read-zip.ts';

/** What a part refers to by the ids of its relations. */
export interface References {
  /** The lines of diagrams and charts. */
  drawings: ReadonlyMap<string, readonly string[]>;
  /** Addresses outside the file. */
  links: ReadonlyMap<string, string>;
}

export async function readReferences(zip: Zip, part: string): Promise<References> {
  const drawings = new Map<string, string[]>();
  for (const [id, { type, target }] of await readRelations(zip, part)) {
    if (!zip.has(target)) continue;
    if (type === 'diagramData') drawings.set(id, await readParagraphs(zip, target));
    if (type === 'chart' || type === 'chartEx') drawings.set(id, await readChart(zip, target));
  }
  return { drawings, links: await readLinks(zip, part) };
}

/** The paragraphs of DrawingML in a part, such as SmartArt, text boxes of sheets and newer comments. */
export async function readParagraphs(zip: Zip, part: string): Promise<string[]> {
  const paragraphs: string[] = [];
  const reader = createParagraphReader((text) => paragraphs.push(text));
  await readXml(zip, part, reader);
  return paragraphs;
}

/** Hands over each paragraph that has text. */
export function createParagraphReader(end: (text: string) => void) {
  let paragraph: string | null = null;
  let inText = false;
  let skipping = 0;
  return {
    open(tag: string): void {
      // Copies for older programs.
      if (skipping > 0 || tag === 'Fallback') skipping++;
      else if (tag === 'p') paragraph = '';
      else if (paragraph === null) return;
      else if (tag === 't') inText = true;
      else if (tag === 'br') paragraph += '\n';
      else if (tag === 'tab') paragraph += '\t';
    },
    close(tag: string): void {
      if (skipping > 0) skipping--;
      else if (tag === 't') inText = false;
      else if (tag === 'p') {
        if (paragraph?.trim()) end(paragraph.trim());
        paragraph = null;
      }
    },
    text(more: string): void {
      if (inText && skipping === 0 && paragraph !== null) paragraph += more;
    },
  };
}

interface Series {
  name: string;
  labels: string[];
  values: string[];
}

/** Its titles, then its categories with the values of each series as a table. */
export async function readChart(zip: Zip, part: string): Promise<string[]> {
  const titles: string[] = [];
  const all: Series[] = [];
  const paragraphs = createParagraphReader((text) => titles.push(text));
  /** The open elements that tell what a value is. */
  const open: string[] = [];
  let point = 0;
  let value: string | null = null;

  function endValue(text: string): void {
    const series = all.at(-1);
    if (!series) return;
    if (open.includes('cat') || open.includes('xVal')) series.labels[point] = text;
    else if (open.includes('val') || open.includes('yVal')) series.values[point] = text;
    else if (open.includes('tx')) series.name += text;
  }

  await readXml(zip, part, {
    open(tag, attributes) {
      open.push(tag);
      paragraphs.open(tag);
      if (tag === 'ser') all.push({ name: '', labels: [], values: [] });
      if (tag === 'pt') point = Math.min(Math.max(0, Number(attributes.idx) || 0), POINTS_MAX);
      if (tag === 'v') value = '';
    },
    close(tag) {
      open.pop();
      paragraphs.close(tag);
      if (tag === 'v' && value !== null) {
        endValue(value.trim());
        value = null;
      }
    },
    text(more) {
      paragraphs.text(more);
      if (value !== null) value += more;
    },
  });
  return [...titles, ...tableOf(all)];
}

/** More points than a chart shows: the table of its sheet has them. */
const POINTS_MAX = 1000;

function tableOf(all: readonly Series[]): string[] {
  const labels = all.find((series) => series.labels.length > 0)?.labels ?? [];
  const rows = Math.max(0, ...all.map(({ labels: own, values }) => Math.max(own.length, values.length)));
  const names = lineOfCells(['', ...all.map(({ name }) => name)]);
  const lines = Array.from({ length: rows }, (_, row) =>
    lineOfCells([labels[row] ?? '', ...all.map(({ values }) => roundedOf(values[row] ?? ''))]),
  );
  return [names, ...lines].filter((line): line is string => line !== null);
}

/** Fifteen digits are what Excel keeps; the rest is how binary numbers are written. */
function roundedOf(value: string): string {
  const number = Number(value);
  return value === '' || !Number.isFinite(number) ? value : String(Number(number.toPrecision(15)));
}

/** The texts of the shapes, diagrams and charts of the drawings of a sheet. */
export async function readSheetDrawings(zip: Zip, sheet: string): Promise<string[]> {
  const lines: string[] = [];
  for (const drawing of relatedParts(zip, await readRelations(zip, sheet), 'drawing')) {
    lines.push(...(await readParagraphs(zip, drawing)));
    const { drawings } = await readReferences(zip, drawing);
    for (const some of drawings.values()) lines.push(...some);
  }
  return lines;
}
