// Web pages as a reader sees them: text without scripts, styles and what a browser does not show. From the stream of
// tags, without a tree, so that depth and size cost nothing.
import { Tokenizer, TokenizerMode, type TokenHandler } from 'parse5';
import { addressBehind } from './addresses.ts';
import { readText } from './encodings/decode.ts';
import { createHeadings } from './headings.ts';
import { formatNumber } from './office/counters.ts';
import { lineOfCells } from './office/package.ts';
import type { Extract, Sink } from './source.ts';

export const extractHtml: Extract = async (path, sink) => {
  await readHtml(readText(path, { declaredIn: declaredEncoding, ...(sink.onGuess && { onGuess: sink.onGuess }) }), {
    sink,
    title: null,
    tellsAddresses: true,
  });
  return null;
};

/** What `<meta charset>` and its older form say. */
function declaredEncoding(head: string): string | undefined {
  return (
    /<meta[^>]{0,200}\scharset\s{0,9}=\s{0,9}["']?([\w.:-]+)/i.exec(head)?.[1] ??
    /;\s*charset=([\w.:-]+)/i.exec(head)?.[1]
  );
}

interface Page {
  sink: Sink;
  /** Of the whole it belongs to, as a chapter; null: what it calls itself. */
  title: string | null;
  /** Whether the addresses of links stand behind their words. */
  tellsAddresses?: boolean;
}

/** Elements whose text a browser does not show; the tokenizer leaves each only at its end tag. */
const RAW = new Map<string, (typeof TokenizerMode)[keyof typeof TokenizerMode]>([
  ['title', TokenizerMode.RCDATA],
  ['textarea', TokenizerMode.RCDATA],
  ['style', TokenizerMode.RAWTEXT],
  ['xmp', TokenizerMode.RAWTEXT],
  ['iframe', TokenizerMode.RAWTEXT],
  ['noembed', TokenizerMode.RAWTEXT],
  ['noframes', TokenizerMode.RAWTEXT],
  ['script', TokenizerMode.SCRIPT_DATA],
]);

/** Elements that stand on lines of their own. */
const BLOCKS = new Set(
  (
    'address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure ' +
    'footer form header hr html legend li main menu nav ol optgroup option p pre section select summary table ul'
  ).split(' '),
);
const PARAGRAPHS = new Set(['p', 'pre', 'blockquote', 'table', 'ul', 'ol', 'dl', 'section', 'article', 'figure']);
const HEADING = /^h([1-6])$/;

/** Writes the text of a page. XHTML is read by the same rules, but for elements that end where they begin. */
export async function readHtml(texts: AsyncIterable<string>, page: Page, isXml = false): Promise<void> {
  const writer = createPageWriter(page);
  const tokenizer: Tokenizer = new Tokenizer({ sourceCodeLocationInfo: false }, handlerOf(writer, enterRaw));
  for await (const text of texts) tokenizer.write(text, false);
  tokenizer.write('', true);

  /** What the tokenizer cannot know: that what follows is no markup. */
  function enterRaw(tag: string, isClosed: boolean): boolean {
    const mode = RAW.get(tag);
    if (mode === undefined || (isXml && isClosed)) return false;
    tokenizer.state = mode;
    return true;
  }
}

interface PageWriter {
  text(text: string): void;
  open(tag: string, attributes: ReadonlyMap<string, string>): void;
  close(tag: string): void;
  title(text: string): void;
  finish(): void;
}

function handlerOf(writer: PageWriter, enterRaw: (tag: string, isClosed: boolean) => boolean): TokenHandler {
  let raw: string | null = null;
  const onCharacter = ({ chars }: { chars: string }) => {
    if (raw === null) writer.text(chars);
    else if (raw === 'title') writer.title(chars);
  };
  return {
    onStartTag({ tagName, selfClosing, attrs }) {
      if (enterRaw(tagName, selfClosing)) raw = tagName;
      else writer.open(tagName, new Map(attrs.map(({ name, value }) => [name, value])));
    },
    onEndTag({ tagName }) {
      if (tagName === raw) raw = null;
      else writer.close(tagName);
    },
    onCharacter,
    onWhitespaceCharacter: onCharacter,
    onNullCharacter() {},
    onComment() {},
    onDoctype() {},
    onEof: () => writer.finish(),
  };
}

const ITEM = '- ';
/** What stands before an item of a list, on its line. */
const ITEM_START = /^(?:- |\S{1,12}\. )$/;

/** Characters of a section that are written at once. */
const STRETCH_LENGTH = 64 * 1024;

interface Sections {
  add(text: string, isPreformatted?: boolean): void;
  breakLine(tag: string): void;
  enter(level: number, title: string): void;
  /** What the page calls itself. */
  name(title: string): void;
  end(): void;
}

/** Puts pieces of text together, with white space as a browser shows it. */
function createSections({ sink, title }: Page): Sections {
  let headings = createHeadings(title);
  let own = '';
  let parts: string[] = [];
  let length = 0;

  function add(text: string, isPreformatted = false): void {
    const last = parts.at(-1);
    const isIndented = text.startsWith(' ') && !isPreformatted && (last === undefined || /\s$/.test(last));
    const shown = isIndented ? text.slice(1) : text;
    if (shown === '') return;
    parts.push(shown);
    length += shown.length;
  }

  function end(): void {
    const text = parts.join('').replace(/\n(?:[ \t]*\n){2,}/g, '\n\n');
    parts = [];
    length = 0;
    sink.write({ page: null, heading: headings.path(), text });
  }

  return {
    add,
    end,
    breakLine(tag) {
      if (ITEM_START.test(parts.at(-1) ?? '')) return;
      add(PARAGRAPHS.has(tag) ? '\n\n' : '\n');
      if (length >= STRETCH_LENGTH) end();
    },
    enter(level, heading) {
      headings.enter(level, heading);
      add(`${plain(heading)}\n\n`);
    },
    name(more) {
      own += more;
      if (title === null && own.trim() !== '') headings = createHeadings(plain(own));
    },
  };
}

function createPageWriter(page: Page): PageWriter {
  const sections = createSections(page);
  let heading: { level: number; text: string } | null = null;
  let row: string[] | null = null;
  let preformatted = 0;
  const lists = createLists();
  const links = createLinks(page.tellsAddresses ?? false, text);

  function endHeading(): void {
    if (heading) sections.enter(heading.level, heading.text);
    heading = null;
  }

  function endRow(): void {
    const line = row && lineOfCells(row);
    row = null;
    if (line) sections.add(`\n${line}`);
  }

  function text(more: string): void {
    const shown = preformatted > 0 ? more : more.replace(/\s+/g, ' ');
    if (heading) heading.text += more;
    else if (row) addToCell(row, shown);
    else sections.add(shown, preformatted > 0);
    links.text(more);
  }

  function breakLine(tag: string): void {
    if (heading || row) text(' ');
    else sections.breakLine(tag);
  }

  return {
    text,
    open(tag, attributes) {
      lists.open(tag, attributes);
      if (tag === 'a') links.begin(attributes.get('href'));
      else if (tag === 'input' && /^(checkbox|radio)$/i.test(attributes.get('type') ?? '')) {
        text(attributes.has('checked') ? '[x] ' : '[ ] ');
      }
      const level = Number(HEADING.exec(tag)?.[1] ?? 0);
      if (level > 0 && !row) {
        endHeading();
        sections.end();
        heading = { level, text: '' };
      } else if (tag === 'tr') {
        endRow();
        row = [];
      } else if (tag === 'td' || tag === 'th') {
        row?.push('');
      } else if (tag === 'br' || BLOCKS.has(tag)) {
        if (tag === 'pre') preformatted++;
        breakLine(tag);
        if (tag === 'li') text(lists.item(attributes));
      }
    },
    close(tag) {
      if (tag === 'a') links.end();
      lists.close(tag);
      if (HEADING.test(tag)) endHeading();
      else if (tag === 'tr' || tag === 'table') endRow();
      if (tag === 'pre') preformatted = Math.max(0, preformatted - 1);
      if (BLOCKS.has(tag)) breakLine(tag);
    },
    title: sections.name,
    finish() {
      endHeading();
      endRow();
      sections.end();
    },
  };
}

/** The addresses of links behind their words. @param add adds to what the link stands in */
function createLinks(tellsAddresses: boolean, add: (text: string) => void) {
  let link: { address: string; words: string } | null = null;
  function end(): void {
    const behind = link ? addressBehind(link.words, link.address) : '';
    link = null;
    if (behind !== '') add(behind);
  }
  return {
    end,
    begin(address: string | undefined): void {
      end();
      link = tellsAddresses && address !== undefined ? { address, words: '' } : null;
    },
    text(more: string): void {
      if (link) link.words += more;
    },
  };
}

/** The formats of numbers by the names of HTML. */
const FORMATS: Readonly<Record<string, string>> = {
  a: 'lowerLetter',
  A: 'upperLetter',
  i: 'lowerRoman',
  I: 'upperRoman',
};

/** What a browser shows before the items of the open lists, the innermost last. */
function createLists() {
  const open: ({ next: number; format: string } | null)[] = [];
  return {
    open(tag: string, attributes: ReadonlyMap<string, string>): void {
      if (tag === 'ul' || tag === 'menu') open.push(null);
      if (tag !== 'ol') return;
      const start = Number.parseInt(attributes.get('start') ?? '1', 10);
      open.push({ next: Number.isNaN(start) ? 1 : start, format: FORMATS[attributes.get('type') ?? ''] ?? 'decimal' });
    },
    close(tag: string): void {
      if (tag === 'ul' || tag === 'menu' || tag === 'ol') open.pop();
    },
    item(attributes: ReadonlyMap<string, string>): string {
      const list = open.at(-1);
      if (!list) return ITEM;
      const own = Number.parseInt(attributes.get('value') ?? '', 10);
      if (!Number.isNaN(own)) list.next = own;
      return `${formatNumber(list.next++, list.format)}. `;
    },
  };
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** What stands in a row outside its cells is white space. */
function addToCell(row: string[], text: string): void {
  if (row.length > 0) row[row.length - 1] += text;
}
