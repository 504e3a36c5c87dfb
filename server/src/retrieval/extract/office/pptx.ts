// Presentations: a slide is a page, with its comments and notes below its text.
import { addressBehind } from '../addresses.ts';
import { Unreadable, type Extract } from '../source.ts';
import { readXml } from '../xml.ts';
import { openZip, type Zip } from '../../../platform/zip/read-zip.ts';
import { formatNumber } from './counters.ts';
import { readReferences, type References, createParagraphReader } from './drawings.ts';
import { isOn, lineOfCells, mainPart, relatedParts, readRelations, readAttribute, type Relation } from './package.ts';

interface Slide {
  title: string | null;
  text: string;
  /** Texts that are in no placeholder: of a layout or master, what each of its slides shows. */
  fixed: string[];
  isHidden: boolean;
  /** Whether it shows what stands on its master, too. */
  showsMaster: boolean;
}

export const extractPptx: Extract = async (path, sink) => {
  const zip = await openZip(path);
  const main = await mainPart(zip, 'ppt/presentation.xml');
  const slides = await listSlides(zip, main);
  const authors = await readSlideAuthors(zip, main);
  const footers = new Set<string>();
  const told = new Set<string>();
  for (const [index, part] of slides.entries()) {
    if (!zip.has(part)) throw new Unreadable('damaged');
    const { title, text, isHidden, showsMaster } = await readSlide(zip, part, footers);
    const relations = await readRelations(zip, part);
    const behind = showsMaster ? await readBehind(zip, relations, told) : [];
    const comments = await readSlideComments(zip, relations, authors);
    const [notes] = relatedParts(zip, relations, 'notesSlide');
    const spoken = notes === undefined ? '' : (await readSlide(zip, notes, null)).text;
    const blocks = [isHidden ? '(This slide is hidden.)' : '', text, behind.join('\n'), comments.join('\n'), spoken];
    sink.write({ page: index + 1, heading: title, text: blocks.filter((block) => block !== '').join('\n\n') });
  }
  return slides.length;
};

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

/** What a slide shows of its layout and master. @param told their parts, each of which is told once */
async function readBehind(
  zip: Zip,
  relations: Awaited<ReturnType<typeof readRelations>>,
  told: Set<string>,
): Promise<string[]> {
  const [part] = [...relatedParts(zip, relations, 'slideLayout'), ...relatedParts(zip, relations, 'slideMaster')];
  if (part === undefined || told.has(part)) return [];
  told.add(part);
  const { fixed, showsMaster } = await readSlide(zip, part, null);
  return showsMaster ? [...fixed, ...(await readBehind(zip, await readRelations(zip, part), told))] : fixed;
}

/** What a placeholder shows that is not of the slide: its number, the date. */
const FURNITURE = new Set(['sldNum', 'dt', 'hdr', 'sldImg']);
const FOOTER = 'ftr';

/** @param footers those that are told already: each slide repeats them; null to leave them out */
async function readSlide(zip: Zip, part: string, footers: Set<string> | null): Promise<Slide> {
  const references = await readReferences(zip, part);
  const blocks: string[] = [];
  const fixed: string[] = [];
  let title: string | null = null;
  let shape: { kind: string; paragraphs: string[] } = { kind: '', paragraphs: [] };
  let row: string[] | null = null;
  let isHidden = false;
  let showsMaster = true;
  let skipping = 0;
  const paragraph = createParagraph(references);

  function endParagraph(): void {
    const text = paragraph.end();
    if (row) row[row.length - 1] += `${text}\n`;
    else if (text.trim() !== '') shape.paragraphs.push(text.trim());
  }

  function endShape(): void {
    const text = shape.paragraphs.join('\n');
    if (/^(ctrT|t)itle$/.test(shape.kind)) title ??= text.replace(/\s+/g, ' ').trim() || null;
    const isFooter = shape.kind === FOOTER;
    const isShown = isFooter ? footers !== null && !footers.has(text) : !FURNITURE.has(shape.kind);
    if (isFooter) footers?.add(text);
    if (text !== '' && isShown) blocks.push(text);
    if (text !== '' && shape.kind === '') fixed.push(text);
    shape = { kind: '', paragraphs: [] };
    paragraph.restart();
  }

  await readXml(zip, part, {
    open(tag, attributes) {
      // Copies for older programs.
      if (skipping > 0 || tag === 'Fallback') skipping++;
      else if (tag === 'sld' || tag === 'sldLayout') {
        isHidden = !isOn(attributes.show);
        showsMaster = isOn(attributes.showMasterSp);
      } else if (tag === 'ph') shape.kind = attributes.type ?? 'body';
      else if (tag === 'tr') row = [];
      else if (tag === 'tc') row?.push('');
      else if (tag === 'relIds')
        shape.paragraphs.push(...(references.drawings.get(readAttribute(attributes, 'dm') ?? '') ?? []));
      else if (tag === 'chart')
        shape.paragraphs.push(...(references.drawings.get(readAttribute(attributes, 'id') ?? '') ?? []));
      else paragraph.open(tag, attributes);
    },
    close(tag) {
      if (skipping > 0) {
        skipping--;
        return;
      }
      paragraph.close(tag);
      if (tag === 'p') endParagraph();
      if (tag === 'tr') {
        const line = lineOfCells(row ?? []);
        row = null;
        if (line !== null) shape.paragraphs.push(line);
      }
      if (tag === 'sp' || tag === 'graphicFrame') endShape();
    },
    text(more) {
      if (skipping === 0) paragraph.text(more);
    },
  });
  endShape();
  return { title, text: blocks.join('\n\n'), fixed, isHidden, showsMaster };
}

/** The formats of numbers that PowerPoint names, and what stands around them. */
const NUMBERED =
  /^(arabic|alphaLc|alphaUc|romanLc|romanUc|arabicDb|circleNum(?:Db|WdBlack|WdWhite)|ea1(?:Chs|Cht|JpnKor|JpnChsDb)|hebrew2)(ParenBoth|ParenR|Period|Plain|Minus)$/;
const FORMATS: Readonly<Record<string, string>> = {
  alphaLc: 'lowerLetter',
  alphaUc: 'upperLetter',
  romanLc: 'lowerRoman',
  romanUc: 'upperRoman',
  arabicDb: 'decimalFullWidth',
  circleNumDb: 'decimalEnclosedCircle',
  circleNumWdBlack: 'decimalEnclosedCircle',
  circleNumWdWhite: 'decimalEnclosedCircle',
  ea1Chs: 'chineseCounting',
  ea1Cht: 'chineseCounting',
  ea1JpnKor: 'japaneseCounting',
  ea1JpnChsDb: 'japaneseCounting',
  hebrew2: 'hebrew2',
};

/** The text of the paragraph that is open, with the numbers that PowerPoint computes and the addresses of links. */
function createParagraph({ links }: References) {
  let shown = '';
  let isInText = false;
  let level = 0;
  let numbering: { type: string; start: number } | null = null;
  /** The link that the last runs are of, and where it began. */
  let link: { address: string; from: number } | null = null;
  let address: string | null = null;
  let counters: { count: number; type: string }[] = [];

  function endLink(): void {
    if (link) shown += addressBehind(shown.slice(link.from), link.address);
    link = null;
  }

  function label(): string {
    counters = counters.slice(0, level + 1);
    const { type, start } = numbering ?? { type: '', start: 1 };
    const [, format = '', around] = NUMBERED.exec(type) ?? [];
    if (!numbering || around === undefined) {
      counters = counters.slice(0, level);
      return '';
    }
    const before = counters[level];
    const count = before?.type === type ? before.count + 1 : start;
    counters[level] = { count, type };
    const number = formatNumber(count, FORMATS[format] ?? 'decimal');
    if (around === 'ParenBoth') return `(${number}) `;
    return `${number}${{ ParenR: ')', Period: '.', Minus: ' -' }[around] ?? ''} `;
  }

  return {
    open(tag: string, attributes: Readonly<Record<string, string>>): void {
      if (tag === 'pPr') level = Math.min(8, Number(attributes.lvl) || 0);
      else if (tag === 'buAutoNum') numbering = { type: attributes.type ?? '', start: Number(attributes.startAt) || 1 };
      else if (tag === 'br') shown += '\n';
      else if (tag === 'r' || tag === 'fld') address = null;
      else if (tag === 'hlinkClick') address = links.get(readAttribute(attributes, 'id') ?? '') ?? null;
      else if (tag === 't') {
        isInText = true;
        if (link?.address !== address) endLink();
        if (address !== null) link ??= { address, from: shown.length };
      }
    },
    close(tag: string): void {
      if (tag === 't') isInText = false;
    },
    text(more: string): void {
      if (isInText) shown += more;
    },
    end(): string {
      endLink();
      const text = shown.trim() === '' ? '' : `${label()}${shown.trim()}`;
      [shown, level, numbering] = ['', 0, null];
      return text;
    },
    /** Another shape begins its numbers anew. */
    restart: () => void (counters = []),
  };
}

// Comments on slides, in the form of before 2021 and the newer one.

/** The names of those who comment, by their ids. */
async function readSlideAuthors(zip: Zip, main: string): Promise<Map<string, string>> {
  const authors = new Map<string, string>();
  const relations = await readRelations(zip, main);
  for (const part of [...relatedParts(zip, relations, 'commentAuthors'), ...relatedParts(zip, relations, 'authors')]) {
    await readXml(zip, part, {
      open(tag, { id, name }) {
        if ((tag === 'cmAuthor' || tag === 'author') && id !== undefined && name) authors.set(id, name);
      },
    });
  }
  return authors;
}

/** 'Rita Reviewer: Which year?' for each comment and reply, in their order. */
async function readSlideComments(
  zip: Zip,
  relations: ReadonlyMap<string, Relation>,
  authors: ReadonlyMap<string, string>,
): Promise<string[]> {
  const comments: string[] = [];
  for (const part of relatedParts(zip, relations, 'comments')) {
    /** Those who wrote the open comment and its open reply. */
    const writers: string[] = [];
    let older: string | null = null;
    const add = (text: string) => {
      const author = authors.get(writers.at(-1) ?? '');
      comments.push(author === undefined ? text : `${author}: ${text}`);
    };
    const paragraphs = createParagraphReader(add);
    await readXml(zip, part, {
      open(tag, attributes) {
        if (tag === 'cm' || tag === 'reply') writers.push(attributes.authorId ?? '');
        if (tag === 'text') older = '';
        paragraphs.open(tag);
      },
      close(tag) {
        paragraphs.close(tag);
        if (tag === 'text') {
          if (older?.trim()) add(older.trim());
          older = null;
        }
        if (tag === 'cm' || tag === 'reply') writers.pop();
      },
      text(more) {
        paragraphs.text(more);
        if (older !== null) older += more;
      },
    });
  }
  return comments;
}
