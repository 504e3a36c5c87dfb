// The numbers that Word computes for the paragraphs of lists, clauses and headings.
import { formatNumber } from './counters.ts';
import { isOn, readAttribute } from './package.ts';
import { readXml } from '../xml.ts';
import type { Zip } from '../../../platform/zip/read-zip.ts';

/** Of a paragraph or a style: which list it belongs to, and at which level. */
export interface ListPlace {
  numId: string;
  /** From 0; null where the style of the paragraph decides. */
  level: number | null;
}

interface Level {
  start: number;
  format: string;
  /** As '%1.%2': the numbers of the levels, from 1, with what stands around them. */
  text: string;
  style: string | null;
  /** The level, from 1, whose next number lets this one begin anew: 0 for none, null for each above it. */
  restart: number | null;
  isLegal: boolean;
}

interface AbstractList {
  levels: Map<number, Level>;
  /** A style whose list this one is. */
  styleLink: string | null;
}

interface List {
  abstractId: string;
  starts: Map<number, number>;
  levels: Map<number, Level>;
}

export interface Numbering {
  /**
   * Counts the next paragraph of a list.
   * @returns its label such as '2.1' or '(a)', '-' for a bullet, empty for one that shows none; null outside of lists
   */
  next(place: ListPlace | null, style: string | null): string | null;
}

const LEVELS_MAX = 9;

/** @param listOfStyle the list that a style names, for lists that are defined by one */
export async function readNumbering(
  zip: Zip,
  part: string | undefined,
  listOfStyle: (style: string) => ListPlace | null,
): Promise<Numbering> {
  const { lists, abstracts } = part !== undefined && zip.has(part) ? await readLists(zip, part) : EMPTY;
  /** By the abstract list: lists that share one go on with each other's numbers. */
  const counters = new Map<string, (number | null)[]>();
  /** The lists that have begun where they were told to begin. */
  const begun = new Set<string>();

  function abstractOf(id: string, depth = 0): { id: string; list: AbstractList } | null {
    const list = abstracts.get(id);
    if (!list) return null;
    const linked = list.styleLink === null || depth > 5 ? null : listOfStyle(list.styleLink);
    const target = linked && lists.get(linked.numId)?.abstractId;
    return target && target !== id ? abstractOf(target, depth + 1) : { id, list };
  }

  function next(place: ListPlace | null, style: string | null): string | null {
    if (place === null || place.numId === '0') return null;
    const list = lists.get(place.numId);
    const abstract = list && abstractOf(list.abstractId);
    // A paragraph of a list that is nowhere described.
    if (!list || !abstract) return '-';
    const levelAt = (at: number) => list.levels.get(at) ?? abstract.list.levels.get(at);
    const level = Math.min(place.level ?? levelOfStyle(abstract.list, style), LEVELS_MAX - 1);
    const own = levelAt(level);
    if (!own || own.format === 'bullet') return '-';
    const numbers = counters.get(abstract.id) ?? Array.from({ length: LEVELS_MAX }, () => null);
    counters.set(abstract.id, numbers);
    const start = list.starts.get(level);
    const isFirst = start !== undefined && !begun.has(`${place.numId} ${level}`);
    begun.add(`${place.numId} ${level}`);
    numbers[level] = isFirst ? start : (numbers[level] ?? (start ?? own.start) - 1) + 1;
    for (let below = level + 1; below < LEVELS_MAX; below++) {
      const restart = levelAt(below)?.restart ?? null;
      if (restart === null || (restart > 0 && level < restart)) numbers[below] = null;
    }
    return labelOf(own, level, numbers, levelAt);
  }

  return { next };
}

const EMPTY: { lists: Map<string, List>; abstracts: Map<string, AbstractList> } = {
  lists: new Map(),
  abstracts: new Map(),
};

function levelOfStyle({ levels }: AbstractList, style: string | null): number {
  for (const [at, level] of levels) if (style !== null && level.style === style) return at;
  return 0;
}

function labelOf(
  { text, isLegal }: Level,
  at: number,
  numbers: readonly (number | null)[],
  levelAt: (level: number) => Level | undefined,
): string {
  const label = text.replace(/%([1-9])/g, (_, digit: string) => {
    const level = Number(digit) - 1;
    const shown = levelAt(level);
    const number = numbers[level] ?? shown?.start ?? 1;
    return formatNumber(number, isLegal && level < at ? 'decimal' : (shown?.format ?? 'decimal'));
  });
  return label.trim();
}

/** The definitions of lists, and the lists that paragraphs name, which may change some of their levels. */
async function readLists(zip: Zip, part: string): Promise<typeof EMPTY> {
  const lists = new Map<string, List>();
  const abstracts = new Map<string, AbstractList>();
  let abstract: AbstractList | null = null;
  let list: List | null = null;
  let override = 0;
  let level: Level | null = null;

  await readXml(zip, part, {
    open(tag, attributes) {
      const value = readAttribute(attributes, 'val');
      if (tag === 'abstractNum') {
        abstract = { levels: new Map(), styleLink: null };
        abstracts.set(readAttribute(attributes, 'abstractNumId') ?? '', abstract);
      } else if (tag === 'num') {
        list = { abstractId: '', starts: new Map(), levels: new Map() };
        lists.set(readAttribute(attributes, 'numId') ?? '', list);
      } else if (tag === 'lvl') {
        level = { start: 1, format: 'decimal', text: '', style: null, restart: null, isLegal: false };
        (list ?? abstract)?.levels.set(Number(readAttribute(attributes, 'ilvl') ?? 0), level);
      } else if (tag === 'abstractNumId' && list) list.abstractId = value ?? '';
      else if (tag === 'numStyleLink' && abstract) abstract.styleLink = value ?? null;
      else if (tag === 'lvlOverride') override = Number(readAttribute(attributes, 'ilvl') ?? 0);
      else if (tag === 'startOverride') list?.starts.set(override, numberOf(value));
      else if (level) readLevel(level, tag, value, attributes);
    },
    close(tag) {
      if (tag === 'lvl') level = null;
      if (tag === 'num') list = null;
      if (tag === 'abstractNum') abstract = null;
    },
  });
  return { lists, abstracts };
}

function readLevel(
  level: Level,
  tag: string,
  value: string | undefined,
  attributes: Readonly<Record<string, string>>,
): void {
  if (tag === 'start') level.start = numberOf(value);
  // A format of its own, such as '001', says in `format` what it is like.
  else if (tag === 'numFmt')
    level.format = value === 'custom' ? customOf(readAttribute(attributes, 'format')) : (value ?? 'decimal');
  else if (tag === 'lvlText') level.text = value ?? '';
  else if (tag === 'pStyle') level.style = value ?? null;
  else if (tag === 'lvlRestart') level.restart = numberOf(value);
  else if (tag === 'isLgl') level.isLegal = isOn(value);
}

function customOf(format: string | undefined): string {
  return /^0+1(?=,|$)/.exec(format ?? '')?.[0] ?? 'decimal';
}

function numberOf(value: string | undefined): number {
  const number = Number(value ?? 1);
  return Number.isInteger(number) && number >= 0 && number < 1_000_000 ? number : 1;
}
