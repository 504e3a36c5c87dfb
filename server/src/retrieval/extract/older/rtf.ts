// Rich Text Format: paragraphs and tables without their looks. Groups that a reader does not show are left out.
import { decodeBytes } from '../encodings/decode-bytes.ts';
import { addressBehind } from '../addresses.ts';
import { readBytes } from '../read-bytes.ts';
import { Unreadable, type Extract, type Sink } from '../source.ts';
import { createDocumentWriter, createTables } from '../writers/document-writer.ts';

/** The whole file is in memory while it is read. */
const BYTES_MAX = 64 * 1024 * 1024;
/** Real documents stay far below; each open group costs memory. */
const DEPTH_MAX = 1000;

/** What stands in a group of its own and is not of the text. */
const SKIPPED = new Set(
  (
    'fonttbl colortbl stylesheet info pict object listtable listoverridetable revtbl rsidtbl generator themedata ' +
    'colorschememapping datastore latentstyles xmlnstbl atnid atntime atndate atnparent atnref bkmkstart bkmkend ' +
    'nonshppict filetbl xe tc'
  ).split(' '),
);

/** What stands in a group of its own, and is told beside the text or in it. */
const CAPTURED: Readonly<Record<string, 'note' | 'furniture' | 'comment' | 'writer' | 'instruction' | 'label'>> = {
  footnote: 'note',
  ...Object.fromEntries(
    ['header', 'headerl', 'headerr', 'headerf', 'footer', 'footerl', 'footerr', 'footerf'].map((word) => [
      word,
      'furniture' as const,
    ]),
  ),
  annotation: 'comment',
  atnauthor: 'writer',
  fldinst: 'instruction',
  listtext: 'label',
  pntext: 'label',
};

/** Control words that stand for a character. */
const CHARACTERS: Readonly<Record<string, string>> = {
  tab: '\t',
  line: '\n',
  emdash: '—',
  endash: '–',
  emspace: ' ',
  enspace: ' ',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  '~': '\u00a0',
  _: '-',
};

/** The state that a group inherits and gives back at its end. */
interface Group {
  isSkipped: boolean;
  /** Fallback characters after a Unicode one, which newer readers leave out. */
  fallback: number;
}

/** A backslash with a word and a number, a byte in hexadecimal, or a sign; else a brace, an end of line, or text. */
const TOKEN = /\\(?:([a-zA-Z]{1,32})(-?\d{1,10})? ?|'([\da-fA-F]{2})|([^a-zA-Z]))|[{}]|[\r\n]+|[^\\{}\r\n]+/g;

export const extractRtf: Extract = async (path, sink) => {
  // Every byte is a character here; what is not ASCII comes as escapes, or in the document's own encoding.
  const source = Buffer.from((await readBytes(path, BYTES_MAX)).buffer).toString('latin1');
  if (!source.startsWith('{\\rtf')) throw new Unreadable('damaged');
  const reader = createReader(sink);
  for (const [token, word, number, hex, sign] of source.matchAll(TOKEN)) {
    if (word !== undefined) reader.control(word, number === undefined ? null : Number(number));
    else if (hex !== undefined) reader.bytes(String.fromCharCode(Number.parseInt(hex, 16)));
    else if (sign !== undefined) reader.sign(sign);
    else if (token === '{') reader.open();
    else if (token === '}') reader.close();
    else if (!/^[\r\n]/.test(token)) reader.bytes(token);
  }
  reader.finish();
  return null;
};

/** Paragraphs as they end: of the text, of a table, or of a note, which stands where it is referred to. */
function createParagraphs(sink: Sink) {
  const writer = createDocumentWriter(sink);
  const tables = createTables(writer);
  const notes: string[] = [];
  /** Headers and footers, which each section repeats. */
  const furniture = new Set<string>();
  let hasRow = false;

  function endRow(): void {
    if (hasRow) tables.close('tr');
    hasRow = false;
  }

  return {
    endRow,
    note: (text: string) => void notes.push(text),
    furniture: (text: string) => void furniture.add(text),
    addToCell(text: string): void {
      if (!hasRow) {
        tables.open('tr');
        tables.open('tc');
      }
      hasRow = true;
      tables.add(`${text}\n`);
    },
    nextCell: () => tables.open('tc'),
    add(text: string, level: number | null): void {
      endRow();
      tables.close('tbl');
      if (text === '') return;
      if (level !== null) writer.enter(level, text);
      writer.add(text);
    },
    finish(): void {
      endRow();
      tables.close('tbl');
      for (const text of [...notes, ...furniture]) if (text !== '') writer.add(text);
      writer.endSection();
    },
  };
}

/** Bytes and characters as they come; the bytes of one character may come in several escapes. */
function createText() {
  let text = '';
  let pending = '';
  let encoding = 'windows-1252';
  const flush = () => {
    if (pending !== '') text += decodeBytes(Buffer.from(pending, 'latin1'), encoding);
    pending = '';
  };
  return {
    flush,
    setEncoding: (name: string) => void (encoding = name),
    bytes: (more: string) => void (pending += more),
    add(more: string): void {
      flush();
      text += more;
    },
    /** What has come, which begins anew with `next`. */
    take(next = ''): string {
      flush();
      const taken = text;
      text = next;
      return taken;
    },
  };
}

/** The levels of headings by the numbers of their styles. */
function createStyles() {
  const levels = new Map<number, number>();
  let described: number | null = null;
  return {
    levelOf: (style: number) => levels.get(style) ?? null,
    describe(word: string, number: number | null): void {
      if (word === 's') described = number;
      if (word === 'outlinelevel' && described !== null && number !== null && number < 9)
        levels.set(described, number + 1);
    },
  };
}

/** What decides where a paragraph belongs. */
function createLayout(
  paragraphs: ReturnType<typeof createParagraphs>,
  text: ReturnType<typeof createText>,
  styles: ReturnType<typeof createStyles>,
) {
  let level: number | null = null;
  let isInTable = false;
  return {
    endParagraph(paragraph: string): void {
      if (isInTable) paragraphs.addToCell(paragraph);
      else paragraphs.add(paragraph, level);
    },
    control(word: string, number: number | null): void {
      if (word === 'pard') [level, isInTable] = [null, false];
      else if (word === 's' && number !== null) level = styles.levelOf(number);
      else if (word === 'outlinelevel' && number !== null && number < 9) level = number + 1;
      else if (word === 'intbl') isInTable = true;
      else if (word === 'cell' || word === 'nestcell') {
        paragraphs.addToCell(text.take().trim());
        paragraphs.nextCell();
      } else if (word === 'row') {
        paragraphs.endRow();
        isInTable = false;
      }
    },
  };
}

/** What stands in a group apart from the text around it. */
interface Capture {
  kind: (typeof CAPTURED)[string];
  /** Of the groups, where it began. */
  depth: number;
  /** What stands before it. */
  before: string;
}

/** Groups of their own: notes, headers and footers, comments, the addresses of links, the numbers of lists. */
function createCaptures(paragraphs: ReturnType<typeof createParagraphs>, text: ReturnType<typeof createText>) {
  const open: Capture[] = [];
  let writer = '';
  /** The link whose words follow, and the group that both are in. */
  let link: { address: string; depth: number; from: number } | null = null;

  /** Returns what is added to the text in which it stands. */
  function told(kind: Capture['kind'], captured: string, depth: number, from: number): string {
    if (kind === 'note') paragraphs.note(captured);
    else if (kind === 'furniture') paragraphs.furniture(captured);
    else if (kind === 'writer') writer = captured;
    else if (kind === 'label') return captured === '' ? '' : `${/^[\p{L}\p{N}(]/u.test(captured) ? captured : '-'} `;
    else if (kind === 'instruction') {
      const address = /^HYPERLINK\s+"([^"]+)"/i.exec(captured)?.[1];
      if (address !== undefined) link = { address, depth: depth - 1, from };
    } else if (captured !== '') return writer === '' ? ` [${captured}]` : ` [${writer}: ${captured}]`;
    return '';
  }

  return {
    innermost: () => open.at(-1) ?? null,
    begin(kind: Capture['kind'], depth: number): void {
      open.push({ kind, depth, before: text.take() });
    },
    /** To be called at the end of each group. @param depth of the group that ends */
    end(depth: number): void {
      const capture = open.at(-1);
      if (capture?.depth === depth) {
        open.pop();
        const captured = text.take(capture.before).trim();
        text.add(told(capture.kind, captured, depth, capture.before.length));
      } else if (link?.depth === depth) {
        const words = text.take();
        text.add(words + addressBehind(words.slice(link.from), link.address));
        link = null;
      }
    },
  };
}

function createReader(sink: Sink) {
  const paragraphs = createParagraphs(sink);
  const text = createText();
  const styles = createStyles();
  const groups: Group[] = [];
  let group: Group = { isSkipped: false, fallback: 1 };
  /** Fallback characters that are still to be left out. */
  let left = 0;
  const layout = createLayout(paragraphs, text, styles);
  const captures = createCaptures(paragraphs, text);

  function endParagraph(): void {
    if (captures.innermost()) text.add(' ');
    else layout.endParagraph(text.take().trim());
  }

  function control(word: string, number: number | null): void {
    if (SKIPPED.has(word)) group.isSkipped = true;
    const kind = Object.hasOwn(CAPTURED, word) ? CAPTURED[word] : undefined;
    const wasSkipped = groups.at(-1)?.isSkipped ?? false;
    if (kind && !wasSkipped) {
      captures.begin(kind, groups.length);
      group.isSkipped = false;
    }
    if (word === 'ansicpg' && number !== null) text.setEncoding(encodingOf(number) ?? 'windows-1252');
    if (word === 'uc' && number !== null) group.fallback = Math.max(0, number);
    if (group.isSkipped) styles.describe(word, number);
    else if (word === 'u' && number !== null) {
      text.add(String.fromCharCode(number & 0xffff));
      left = group.fallback;
    } else if (Object.hasOwn(CHARACTERS, word)) text.add(CHARACTERS[word] ?? '');
    else if (word === 'par' || word === 'sect' || word === 'page') endParagraph();
    else if (!captures.innermost()) layout.control(word, number);
  }

  return {
    control,
    sign(sign: string): void {
      // What an unknown star begins, only programs that know it read.
      if (sign === '*') group.isSkipped = true;
      else if (group.isSkipped) return;
      else if (sign === '\n' || sign === '\r') endParagraph();
      else text.add(CHARACTERS[sign] ?? ('\\{}'.includes(sign) ? sign : ''));
    },
    bytes(bytes: string): void {
      const shown = bytes.slice(left);
      left = Math.max(0, left - bytes.length);
      if (!group.isSkipped) text.bytes(shown);
    },
    open(): void {
      if (groups.length > DEPTH_MAX) throw new Unreadable('damaged');
      text.flush();
      groups.push(group);
      group = { ...group };
    },
    close(): void {
      text.flush();
      left = 0;
      captures.end(groups.length);
      group = groups.pop() ?? { isSkipped: false, fallback: 1 };
    },
    finish(): void {
      layout.control('pard', null);
      endParagraph();
      paragraphs.finish();
    },
  };
}

/** Code pages as Windows numbers them. */
function encodingOf(codePage: number): string | undefined {
  const known: Readonly<Record<number, string>> = {
    874: 'windows-874',
    932: 'shift_jis',
    936: 'gb18030',
    949: 'euc-kr',
    950: 'big5',
    65_001: 'utf-8',
  };
  return known[codePage] ?? (codePage >= 1250 && codePage <= 1258 ? `windows-${codePage}` : undefined);
}
