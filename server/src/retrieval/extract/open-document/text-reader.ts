// Paragraphs of OpenDocument files, of texts and slides alike: their text, with spaces, tabs and line breaks as tags.
import type { XmlReader } from '../xml.ts';
import { repeatCount } from './package.ts';

/** What is not of the text: what was deleted under tracked changes, comments, and how something is pronounced. */
const SKIPPED = new Set(['tracked-changes', 'annotation', 'ruby-text', 'note-citation', 'forms']);
const SPACES_MAX = 1000;

export const TABLE = { table: 'table', row: 'table-row', cell: 'table-cell' };

interface Paragraph {
  text: string;
  /** From 1; null for no heading. */
  level: number | null;
}

/** `end` gets each paragraph; a paragraph inside another, as of a note, ends before the outer one. */
export function createTextReader(end: (paragraph: Paragraph) => void, others: XmlReader): XmlReader {
  const paragraphs: Paragraph[] = [];
  let skipping = 0;

  function add(text: string): void {
    const paragraph = paragraphs.at(-1);
    if (paragraph) paragraph.text += text;
  }

  return {
    open(tag, attributes) {
      if (skipping > 0 || SKIPPED.has(tag)) {
        skipping++;
        return;
      }
      if (tag === 'p') paragraphs.push({ text: '', level: attributes['text:style-name'] === 'Title' ? 1 : null });
      if (tag === 'h') paragraphs.push({ text: '', level: repeatCount(attributes['text:outline-level'], 9) });
      if (tag === 's') add(' '.repeat(repeatCount(attributes['text:c'], SPACES_MAX)));
      if (tag === 'tab') add('\t');
      if (tag === 'line-break') add('\n');
      others.open?.(tag, attributes);
    },
    close(tag) {
      if (skipping > 0) {
        skipping--;
        return;
      }
      const paragraph = tag === 'p' || tag === 'h' ? paragraphs.pop() : undefined;
      if (paragraph && paragraph.text.trim() !== '') end(paragraph);
      others.close?.(tag);
    },
    text(more) {
      // Programs break the lines of their XML.
      if (skipping === 0) add(more.replace(/\s+/g, ' '));
    },
  };
}
