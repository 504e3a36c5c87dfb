// Paragraphs of OpenDocument files, of texts and slides alike: their text, with spaces, tabs and line breaks as tags,
// comments where they stand, and addresses behind the words of links.
import { addressBehind } from '../addresses.ts';
import type { XmlReader } from '../xml.ts';
import { createAnnotation } from './annotations.ts';
import { repeatCount } from './package.ts';

/** What is not of the text: what was deleted under tracked changes, and how something is pronounced. */
const SKIPPED = new Set(['tracked-changes', 'ruby-text', 'note-citation', 'forms']);
const SPACES_MAX = 1000;

export const TABLE = { table: 'table', row: 'table-row', cell: 'table-cell' };

interface Paragraph {
  text: string;
  /** From 1; null for no heading. */
  level: number | null;
}

/**
 * `end` gets each paragraph; a paragraph inside another, as of a note, ends before the outer one. A comment or an
 * embedded object that stands in no paragraph is one.
 * @param objects the texts of embedded objects, by their folders
 */
export function createTextReader(
  end: (paragraph: Paragraph) => void,
  others: XmlReader,
  objects: ReadonlyMap<string, string> = new Map(),
): XmlReader {
  const paragraphs: Paragraph[] = [];
  const annotation = createAnnotation();
  const links: { paragraph: Paragraph | undefined; from: number; address: string | undefined }[] = [];
  let skipping = 0;

  function add(text: string): void {
    const paragraph = paragraphs.at(-1);
    if (paragraph) paragraph.text += text;
  }

  function endAnnotation(comment: string | null): void {
    if (comment === null) return;
    if (paragraphs.length > 0) add(` ${comment}`);
    else end({ text: comment, level: null });
  }

  function addObject(address = ''): void {
    const text = objects.get(address.replace(/^\.\//, ''));
    if (text === undefined) return;
    if (paragraphs.length > 0) add(text);
    else end({ text, level: null });
  }

  function endLink(): void {
    const { paragraph, from = 0, address } = links.pop() ?? {};
    if (paragraph && paragraph === paragraphs.at(-1)) add(addressBehind(paragraph.text.slice(from), address));
  }

  return {
    open(tag, attributes) {
      if (annotation.isOpen() || tag === 'annotation') annotation.open(tag);
      else if (skipping > 0 || SKIPPED.has(tag)) skipping++;
      else {
        if (tag === 'p') paragraphs.push({ text: '', level: attributes['text:style-name'] === 'Title' ? 1 : null });
        else if (tag === 'h') paragraphs.push({ text: '', level: repeatCount(attributes['text:outline-level'], 9) });
        else if (tag === 's') add(' '.repeat(repeatCount(attributes['text:c'], SPACES_MAX)));
        else if (tag === 'tab') add('\t');
        else if (tag === 'line-break') add('\n');
        else if (tag === 'object') addObject(attributes['xlink:href']);
        else if (tag === 'a') {
          const paragraph = paragraphs.at(-1);
          links.push({ paragraph, from: paragraph?.text.length ?? 0, address: attributes['xlink:href'] });
        }
        others.open?.(tag, attributes);
      }
    },
    close(tag) {
      if (annotation.isOpen()) return endAnnotation(annotation.close(tag));
      if (skipping > 0) {
        skipping--;
        return;
      }
      if (tag === 'a') endLink();
      const paragraph = tag === 'p' || tag === 'h' ? paragraphs.pop() : undefined;
      if (paragraph && paragraph.text.trim() !== '') end(paragraph);
      others.close?.(tag);
    },
    text(more) {
      if (annotation.isOpen()) annotation.text(more);
      // Programs break the lines of their XML.
      else if (skipping === 0) add(more.replace(/\s+/g, ' '));
    },
  };
}
