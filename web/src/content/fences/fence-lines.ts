import { tagsAsMarkdown } from '../html/tags.ts';

/** A line that opens a block of code. */
export interface Opening {
  /** Where its marks begin in the line. */
  at: number;
  marks: string;
  /** All words after the marks. */
  info: string;
  /** The column at which the text of the list item around it begins; 0 outside of lists and within quotes. */
  inner: number;
  /** What the next line has to begin with, for a fence that follows words in its line. */
  prefix?: string;
  /** The lines to come will show whether it opens a block at all. */
  isPending?: boolean;
}

const CONTAINER = '[ \\t>]*(?:(?:[-*+]|\\d{1,9}[.)])[ \\t]+(?=\\S))*';
const OPENING = new RegExp(`^(${CONTAINER})(\`{3,}|~{3,})([^\\n]*)`);
const AFTER_WORDS = /^(.*?[^\s`])([ \t]*)(`{3,})([\w+#.-]*)[ \t]*$/;

/** The width of white space, list marks and quote marks in columns. */
export function columnWidth(lead: string): number {
  return lead.includes('\t')
    ? [...lead].reduce((width, char) => width + (char === '\t' ? 4 - (width % 4) : 1), 0)
    : lead.length;
}

export function indentation(line: string): number {
  return columnWidth(/^[ \t]*/.exec(line)?.[0] ?? '');
}

/** A fence that opens on a line of its own, within an item whose text begins at a column. */
export function readOpening(line: string, inner: number): Opening | undefined {
  if (!line.includes('```') && !line.includes('~~~')) return undefined;
  const [, lead = '', marks = '', info = ''] = OPENING.exec(line) ?? [];
  if (marks === '' || (marks.startsWith('`') && info.includes('`'))) return undefined;
  if (columnWidth(lead) - inner > 3 && !lead.includes('>')) return undefined;
  return { at: lead.length, marks, info: info.trim(), inner: lead.includes('>') ? 0 : inner };
}

/**
 * A fence that opens after words: "Run this:```bash". Its block must end with a fence of its own before another line has
 * such marks; elsewhere these marks enclose code within a sentence, or are spoken of.
 */
export function splitOpening(lines: readonly string[], index: number, around: number): Opening | undefined {
  const line = lines[index] ?? '';
  if (index + 1 >= lines.length || !line.includes('```') || /^[ \t>]*\|/.test(line)) return undefined;
  const [, words = '', space = '', marks = '', info = ''] = AFTER_WORDS.exec(line) ?? [];
  const [lead = ''] = new RegExp(`^${CONTAINER}`).exec(line) ?? [];
  if (marks === '' || !/[\p{L}\p{N}]/u.test(words.slice(lead.length)) || words.includes('```')) return undefined;
  // A line that goes on in a paragraph of the item without indentation: its fence ends the item.
  const inner = columnWidth(lead) < around ? 0 : around;
  if (columnWidth(lead) - inner > 3 && !lead.includes('>')) return undefined;
  if (info === '' && !/[:：]\**$/.test(words)) return undefined;
  const quotes = /^[ \t>]*>[ \t]*/.exec(line)?.[0];
  const next = lines
    .slice(index + 1)
    .find((other) => other.includes('```') || (quotes !== undefined && !other.trimStart().startsWith('>')));
  if (next === undefined ? quotes !== undefined : !isBareFence(next, marks)) return undefined;
  const prefix = quotes ?? ' '.repeat(inner);
  return {
    at: words.length + space.length,
    marks,
    info,
    inner: quotes === undefined ? inner : 0,
    prefix,
    isPending: next === undefined,
  };
}

/** Whether a line is only a fence that closes one with these marks. */
export function isBareFence(line: string, marks: string): boolean {
  const fence = line.replace(/^[ \t>]*/, '').trimEnd();
  return fence.length >= marks.length && fence === marks.charAt(0).repeat(fence.length);
}

/** Marks at the beginning of a line with what follows them. */
export function readMarks(line: string): { at: number; marks: string; after: string } | undefined {
  const [, lead = '', marks = '', after = ''] = /^([ \t>]*)(`{3,}|~{3,})(.*)/.exec(line) ?? [];
  if (marks === '' || (marks.startsWith('`') && after.includes('`'))) return undefined;
  return { at: lead.length, marks, after: after.trim() };
}

/** Whether what follows marks is a sentence: a language and its options are no words, or have signs among them. */
export function isProse(after: string): boolean {
  if (/[`={}[\]]/.test(after)) return false;
  return (
    /^\S+[ \t]+\p{L}/u.test(after) ||
    /[\u2E80-\u9FFF\uAC00-\uD7AF\u0590-\u06FF]/.test(after) ||
    /^[.,;:!?)]/.test(after)
  );
}

const HTML_BLOCK =
  'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|meta|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul';
const BEGINS_HTML = new RegExp(`^ {0,3}</?(?:${HTML_BLOCK})(?:[\\s/>]|$)`, 'i');
/** Any other tag alone in its line, which cannot interrupt a paragraph. */
const TAG_ALONE = /^ {0,3}<\/?[a-z][\w-]*(?:\s[^<>]*)?\/?>[ \t]*$/i;
const SPANS_BLANKS = /^ {0,3}<(?:(!--)|(script|pre|style|textarea)(?=[\s>]|$))/i;

/** The line after a block of HTML that begins here, in which fences are text; the same line where none does. */
export function endOfHtml(lines: readonly string[], start: number, isParagraph: boolean): number {
  const line = lines[start] ?? '';
  if (tagsAsMarkdown(line) !== line) return start;
  const [spanning, comment, tag] = SPANS_BLANKS.exec(line) ?? [];
  if (!spanning && !BEGINS_HTML.test(line) && (isParagraph || !TAG_ALONE.test(line))) return start;
  const isEnd = (other: string, index: number) => {
    if (!spanning) return index > start && other.trim() === '';
    return (
      index >= start && (comment ? other.includes('-->') : other.toLowerCase().includes(`</${tag?.toLowerCase()}`))
    );
  };
  const end = lines.findIndex(isEnd);
  return end === -1 ? lines.length : end + 1;
}
