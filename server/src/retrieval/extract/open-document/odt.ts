// Texts of LibreOffice and its like: paragraphs, lists, tables and notes, under their headings; headers and footers once.
import type { Extract } from '../source.ts';
import { createDocumentWriter, createTables } from '../writers/document-writer.ts';
import { readXml, type XmlReader } from '../xml.ts';
import type { Zip } from '../../../platform/zip/read-zip.ts';
import { readObjects } from './objects.ts';
import { CONTENT, openPackage, STYLES, repeatCount } from './package.ts';
import { createTextReader, TABLE } from './text-reader.ts';
import { formatNumber } from '../office/counters.ts';

const FORMATS: Readonly<Record<string, string>> = {
  i: 'lowerRoman',
  I: 'upperRoman',
  a: 'lowerLetter',
  A: 'upperLetter',
};

const LEVELS_MAX = 10;

/** The style of headings, which has no name. */
const OUTLINE = '';

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

// The numbers that LibreOffice and its like compute for lists and headings.
type Attributes = Readonly<Record<string, string>>;

interface Level {
  format: string;
  prefix: string;
  suffix: string;
  start: number;
  /** How many levels it shows, its own included. */
  shown: number;
}

/** Gets the tags of styles and of lists as they come; styles stand before the text. */
function createNumbering() {
  const styles = new Map<string, Map<number, Level | null>>();
  /** The style whose levels are described. */
  let described: Map<number, Level | null> | null = null;
  /** By style, from the first level. */
  const counters = new Map<string, number[]>();
  /** The styles of the open lists, the innermost last. */
  const lists: string[] = [];
  /** Whether the next paragraph is the first of its item. */
  let isItemOpen = false;

  function next(style: string, level: number, start?: number): string | null {
    const own = styles.get(style)?.get(level);
    if (own === undefined || own === null) return null;
    const numbers = counters.get(style) ?? [];
    const before = numbers[level - 1];
    numbers.length = level;
    numbers[level - 1] = start ?? (before === undefined ? own.start : before + 1);
    counters.set(style, numbers);
    if (own.format === '') return null;
    const from = Math.max(1, level - own.shown + 1);
    const shown = Array.from({ length: level - from + 1 }, (_, at) => {
      const one = styles.get(style)?.get(from + at);
      return formatNumber(numbers[from + at - 1] ?? one?.start ?? 1, FORMATS[one?.format ?? ''] ?? 'decimal');
    });
    return `${own.prefix}${shown.join('.')}${own.suffix}`.trim();
  }

  let itemStart: number | undefined;

  return {
    open(tag: string, attributes: Attributes): void {
      if (tag === 'list-style' || tag === 'outline-style') {
        described = new Map();
        styles.set(tag === 'outline-style' ? OUTLINE : (attributes['style:name'] ?? ''), described);
      } else if (/^(list|outline)-level-style/.test(tag) && described) {
        described.set(repeatCount(attributes['text:level'], LEVELS_MAX), levelOf(tag, attributes));
      } else if (tag === 'list') {
        const style = attributes['text:style-name'] ?? lists.at(-1) ?? '';
        const goesOn = attributes['text:continue-numbering'] === 'true' || 'text:continue-list' in attributes;
        if (lists.length === 0 && !goesOn) counters.delete(style);
        lists.push(style);
      } else if (tag === 'list-item') {
        isItemOpen = true;
        const start = Number(attributes['text:start-value']);
        itemStart = Number.isInteger(start) && 'text:start-value' in attributes ? start : undefined;
      } else if (tag === 'list-header') isItemOpen = false;
    },
    close(tag: string): void {
      if (tag === 'list') lists.pop();
      if (tag === 'list-style' || tag === 'outline-style') described = null;
    },
    /** What stands before the paragraph that ends, with a space; empty where nothing does. */
    label(level: number | null): string {
      if (level !== null) {
        const number = next(OUTLINE, level);
        return number ? `${number} ` : '';
      }
      if (lists.length === 0 || !isItemOpen) return '';
      isItemOpen = false;
      const number = next(lists.at(-1) ?? '', lists.length, itemStart);
      itemStart = undefined;
      return number ? `${number} ` : '- ';
    },
  };
}

type OpenNumbering = ReturnType<typeof createNumbering>;

/** Null for a bullet. */
function levelOf(tag: string, attributes: Attributes): Level | null {
  if (!/^(list-level-style-number|outline-level-style)$/.test(tag)) return null;
  return {
    format: attributes['style:num-format'] ?? '',
    prefix: attributes['style:num-prefix'] ?? '',
    suffix: attributes['style:num-suffix'] ?? '',
    start: repeatCount(attributes['text:start-value'], 1_000_000),
    shown: repeatCount(attributes['text:display-levels'], LEVELS_MAX),
  };
}
