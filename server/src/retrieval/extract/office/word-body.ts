// The paragraphs of a part of a Word document: its body, its headers and footers, its notes.
import { addressBehind } from '../addresses.ts';
import type { DocumentWriter } from '../writers/document-writer.ts';
import { createTables } from '../writers/document-writer.ts';
import type { XmlReader } from '../xml.ts';
import type { References } from './drawings.ts';
import { isOn, readAttribute } from './package.ts';
import type { ListPlace, Numbering } from './word-numbering.ts';
import type { Styles } from './word-styles.ts';
import { createForms } from './word-forms.ts';
import { readSymbol } from './word-symbols.ts';

type Attributes = Readonly<Record<string, string>>;
type Tables = ReturnType<typeof createTables>;

/** What is the same for all parts of a document. */
export interface WordDocument {
  styles: Styles;
  numbering: Numbering;
  /** 'Rita Reviewer: Not before June.' by the ids of comments. */
  comments: ReadonlyMap<string, string>;
  /** The marks of notes by their kinds and ids, 'footnote 2'; filled as they are referred to. */
  notes: Map<string, string>;
}

/** What a paragraph's text is not: old text of a tracked change, and copies for older programs. */
const SKIPPED = new Set(['del', 'moveFrom', 'delText', 'delInstrText', 'Fallback']);

/** What begins or ends in a paragraph by a tag alone. */
const MARKS: Readonly<Record<string, string>> = { tab: '\t', ptab: '\t', br: '\n', cr: '\n', noBreakHyphen: '-' };

interface Paragraph {
  text: string;
  style: string | null;
  level: number | null;
  list: { numId: string | null; level: number | null } | null;
  /** Stands before the text: the mark of a note. */
  mark: string;
}

/** The open paragraphs, the innermost last, and what adds to their text. */
interface Text {
  open: Paragraph[];
  isHidden: boolean;
  add(text: string): void;
}

function createText(): Text {
  const text: Text = {
    open: [],
    isHidden: false,
    add(more) {
      const paragraph = text.open.at(-1);
      if (paragraph && !text.isHidden) paragraph.text += more;
    },
  };
  return text;
}

/** A paragraph inside a paragraph (a text box) is read before the outer one ends. */
export function createBodyReader(document: WordDocument, references: References, writer: DocumentWriter): XmlReader {
  const tables = createTables(writer);
  const text = createText();
  const { endParagraph, addLines } = createEnds(document, tables, writer);
  const stretches = createStretches(text, references.links);
  const forms = createForms(text.add);
  const notes = createNotes(document.notes);
  let skipping = 0;
  let isInText = false;
  let isInRun = false;

  function openRun(): void {
    isInRun = true;
    text.isHidden = false;
    forms.tellBox();
  }

  function open(tag: string, attributes: Attributes): void {
    if (skipping > 0 || SKIPPED.has(tag)) {
      skipping++;
      return;
    }
    const value = readAttribute(attributes, 'val');
    const paragraph = text.open.at(-1);
    tables.open(tag);
    if (tag === 'p') text.open.push({ text: '', style: null, level: null, list: null, mark: notes.take() });
    else if (tag === 'r') openRun();
    else if (tag === 't') isInText = !forms.isToldBox();
    else if (tag === 'vanish') text.isHidden = isInRun && isOn(value);
    else if (tag === 'textpath') addLines([attributes.string ?? '']);
    else if (tag === 'relIds') addLines(references.drawings.get(readAttribute(attributes, 'dm') ?? ''));
    else if (tag === 'chart') addLines(references.drawings.get(readAttribute(attributes, 'id') ?? ''));
    else if (tag === 'footnote' || tag === 'endnote') notes.begin(tag, readAttribute(attributes, 'id'));
    else if (paragraph) openInline(paragraph, tag, attributes);
    forms.open(tag, value);
  }

  function openInline(paragraph: Paragraph, tag: string, attributes: Attributes): void {
    readProperty(paragraph, tag, readAttribute(attributes, 'val'));
    stretches.open(tag, attributes);
    text.add(MARKS[tag] ?? '');
    const id = readAttribute(attributes, 'id');
    if (tag === 'sym' && !forms.isToldBox()) {
      text.add(readSymbol(readAttribute(attributes, 'font'), readAttribute(attributes, 'char')));
    } else if (tag === 'commentReference') {
      const comment = document.comments.get(id ?? '');
      if (comment !== undefined) text.add(` [${comment}]`);
    } else if (tag === 'footnoteReference' || tag === 'endnoteReference') {
      text.add(notes.refer(tag.replace('Reference', ''), id));
    }
  }

  return {
    open,
    close(tag) {
      if (skipping > 0) {
        skipping--;
        return;
      }
      if (tag === 't') isInText = false;
      else if (tag === 'r') isInRun = text.isHidden = false;
      else if (tag === 'p') endParagraph(text.open.pop());
      stretches.close(tag);
      forms.close(tag);
      tables.close(tag);
      if (tag === 'body' || tag === 'footnote' || tag === 'endnote') writer.endSection();
    },
    text(more) {
      if (skipping > 0) return;
      stretches.instruct(more);
      if (isInText) text.add(more);
    },
  };
}

/** Where paragraphs go that have ended: into the cell that is open, or into the document, under their headings. */
function createEnds({ numbering, styles }: WordDocument, tables: Tables, writer: DocumentWriter) {
  return {
    endParagraph(paragraph: Paragraph | undefined): void {
      const shown = paragraph?.text.trim() ?? '';
      if (!paragraph || shown === '') return;
      const { style, mark } = paragraph;
      const label = numbering.next(placeOf(paragraph, styles), style);
      const told = `${mark}${label ? `${label} ` : ''}${shown}`;
      if (tables.add(`${told}\n`)) return;
      const level = paragraph.level ?? (style === null ? null : styles.headingOf(style));
      if (level !== null && level <= 9) writer.enter(level, told);
      writer.add(told);
    },
    /** Lines that stand in the paragraph that is open, as paragraphs of their own. */
    addLines(lines: readonly string[] = []): void {
      for (const line of lines) if (line.trim() !== '' && !tables.add(`${line}\n`)) writer.add(line);
    },
  };
}

/** What a link or a field covers. */
interface Stretch {
  paragraph: Paragraph | undefined;
  from: number;
  address: string | undefined;
  instruction: string;
}

/** The addresses of links behind their words: of links, and of fields that are links. */
function createStretches(text: Text, addresses: ReadonlyMap<string, string>) {
  const links: Stretch[] = [];
  const fields: Stretch[] = [];
  let isInInstruction = false;

  function begin(instruction = '', address?: string): Stretch {
    const paragraph = text.open.at(-1);
    return { paragraph, from: paragraph?.text.length ?? 0, address, instruction };
  }

  /** Nothing for one that ends in another paragraph than it began in. */
  function end(stretch: Stretch | undefined): void {
    if (!stretch?.paragraph || stretch.paragraph !== text.open.at(-1)) return;
    const { paragraph, from, address, instruction } = stretch;
    const target = address ?? /^\s*HYPERLINK\s+"([^"]+)"/i.exec(instruction)?.[1];
    text.add(addressBehind(paragraph.text.slice(from), target));
  }

  function readMark(type: string | undefined): void {
    const field = fields.at(-1);
    if (type === 'begin') fields.push(begin());
    else if (type === 'separate' && field) Object.assign(field, begin(field.instruction));
    else if (type === 'end') end(fields.pop());
  }

  return {
    open(tag: string, attributes: Attributes): void {
      if (tag === 'hyperlink') links.push(begin('', addresses.get(readAttribute(attributes, 'id') ?? '')));
      else if (tag === 'fldSimple') fields.push(begin(readAttribute(attributes, 'instr')));
      else if (tag === 'instrText') isInInstruction = true;
      else if (tag === 'fldChar') readMark(readAttribute(attributes, 'fldCharType'));
    },
    close(tag: string): void {
      if (tag === 'instrText') isInInstruction = false;
      else if (tag === 'hyperlink') end(links.pop());
      else if (tag === 'fldSimple') end(fields.pop());
    },
    instruct(more: string): void {
      const field = fields.at(-1);
      if (isInInstruction && field) field.instruction += more;
    },
  };
}

/** Notes stand behind the text: a mark tells which is which. @param marks by kinds and ids, shared by all parts */
function createNotes(marks: Map<string, string>) {
  let mark = '';
  return {
    refer(kind: string, id = ''): string {
      const key = `${kind} ${id}`;
      const known = [...marks.keys()].filter((other) => other.startsWith(kind)).length;
      const own = marks.get(key) ?? (kind === 'endnote' ? `[e${known + 1}]` : `[${known + 1}]`);
      marks.set(key, own);
      return own;
    },
    begin(kind: string, id = ''): void {
      const own = marks.get(`${kind} ${id}`);
      mark = own === undefined ? '' : `${own} `;
    },
    /** The mark of the note that begins, for its first paragraph. */
    take(): string {
      const taken = mark;
      mark = '';
      return taken;
    },
  };
}

function readProperty(paragraph: Paragraph, tag: string, value: string | undefined): void {
  if (tag === 'pStyle') paragraph.style = value ?? null;
  else if (tag === 'numPr') paragraph.list = { numId: null, level: null };
  else if (tag === 'numId' && paragraph.list) paragraph.list.numId = value ?? null;
  else if (tag === 'ilvl' && paragraph.list) paragraph.list.level = Number(value) || 0;
  else if (tag === 'outlineLvl') paragraph.level = Number(value) + 1;
}

/** The paragraph's own list goes before that of its style; it may name only the level. */
function placeOf({ list, style }: Paragraph, styles: Styles): ListPlace | null {
  const ofStyle = style === null ? null : styles.listOf(style);
  const numId = list?.numId ?? ofStyle?.numId ?? (list ? '' : null);
  return numId === null ? null : { numId, level: list?.level ?? ofStyle?.level ?? null };
}
