// The numbers that LibreOffice and its like compute for lists and headings.
import { formatNumber } from '../office/counters.ts';
import { repeatCount } from './package.ts';

type Attributes = Readonly<Record<string, string>>;

interface Level {
  format: string;
  prefix: string;
  suffix: string;
  start: number;
  /** How many levels it shows, its own included. */
  shown: number;
}

const FORMATS: Readonly<Record<string, string>> = {
  i: 'lowerRoman',
  I: 'upperRoman',
  a: 'lowerLetter',
  A: 'upperLetter',
};
const LEVELS_MAX = 10;
/** The style of headings, which has no name. */
const OUTLINE = '';

/** Gets the tags of styles and of lists as they come; styles stand before the text. */
export function createNumbering() {
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

export type OpenNumbering = ReturnType<typeof createNumbering>;

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
