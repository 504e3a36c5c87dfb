// What a block of code is as a whole thing, by the words behind its opening fence and its beginning.

export type ArtifactKind = 'html' | 'svg' | 'react' | 'mermaid' | 'markdown' | 'csv';

/** The words behind an opening fence, such as `html id=chart title="Sales by month"`. */
export interface FenceInfo {
  /** The first word, or an empty string. */
  language: string;
  /** Several blocks of one id are versions of one thing. */
  id: string | null;
  title: string | null;
  /** A person made this version. */
  isEdited: boolean;
}

/** The word behind a fence that says that a person made this version. */
export const EDITED = 'edited';

/** Shorter blocks are parts of an answer, unless they have an id. */
const LINES_MIN = 15;
/** A whole drawing is short: the logo that somebody asked for. */
const DRAWING_LINES_MIN = 5;
/** Longer ones are shown as code. */
const SOURCE_MAX = 400_000;
/** React is turned into a program where it runs, which takes long for more. */
const REACT_MAX = 100_000;
/** Characters of the words behind a fence that are read. */
const INFO_MAX = 300;
/** Characters of a source in which its title is looked for. */
const TITLE_WITHIN = 20_000;
const TITLE_MAX = 80;

const KINDS: Readonly<Record<string, ArtifactKind>> = {
  html: 'html',
  htm: 'html',
  xhtml: 'html',
  svg: 'svg',
  jsx: 'react',
  tsx: 'react',
  react: 'react',
  mermaid: 'mermaid',
  mmd: 'mermaid',
  markdown: 'markdown',
  md: 'markdown',
  csv: 'csv',
  tsv: 'csv',
};

/** How a fence names each kind. */
export const LANGUAGES = {
  html: 'html',
  svg: 'svg',
  react: 'jsx',
  mermaid: 'mermaid',
  markdown: 'markdown',
  csv: 'csv',
} as const satisfies Record<ArtifactKind, string>;

export function isKind(value: unknown): value is ArtifactKind {
  return typeof value === 'string' && Object.hasOwn(LANGUAGES, value);
}

export function readFenceInfo(info: string): FenceInfo {
  const words = splitWords(info.slice(0, INFO_MAX));
  const [first = ''] = words;
  const valueOf = (name: string) => words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1) || null;
  const file = words.slice(1).find((word) => !word.includes('=') && word.includes('.')) ?? null;
  const title = valueOf('title') ?? valueOf('filename') ?? valueOf('file') ?? file;
  const isEdited = words.indexOf(EDITED, 1) > 0;
  return { language: first.toLowerCase(), id: valueOf('id'), title: title && asTitle(title), isEdited };
}

/** The words behind a fence that name a thing so. */
export function writeFenceInfo({ language, id, title }: Pick<FenceInfo, 'language' | 'id' | 'title'>): string {
  const named = [id && attribute('id', id), title && attribute('title', title)];
  return [language, ...named].filter(Boolean).join(' ');
}

function attribute(name: string, value: string): string {
  const line = value.split(/\s/).filter(Boolean).join(' ');
  if (!line.includes('"')) return `${name}="${line}"`;
  return line.includes("'") ? `${name}="${line.replaceAll('"', '')}"` : `${name}='${line}'`;
}

/** Words are divided by spaces, except within quotes, which are dropped. */
function splitWords(info: string): string[] {
  const words: string[] = [];
  let word = '';
  let quote = '';
  for (const character of info) {
    if (quote !== '') {
      if (character === quote) quote = '';
      else word += character;
    } else if ((character === '"' || character === "'") && word.endsWith('=')) {
      quote = character;
    } else if (character === ' ' || character === '\t') {
      if (word !== '') words.push(word);
      word = '';
    } else {
      word += character;
    }
  }
  return word === '' ? words : [...words, word];
}

/** As what a block of code can be shown; null for code that is code. */
export function kindOfCode(language: string, source: string): ArtifactKind | null {
  if (source.length > SOURCE_MAX) return null;
  const name = language.toLowerCase();
  if (name === 'xml') return isSvg(source) ? 'svg' : null;
  const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
  if (kind !== 'react') return kind ?? null;
  return source.length <= REACT_MAX && isComponent(source) ? kind : null;
}

function isSvg(source: string): boolean {
  const start = source.trimStart();
  if (!start.startsWith('<?xml')) return /^<svg[\s>]/.test(start);
  const end = start.indexOf('?>');
  return end > 0 && /^<svg[\s>]/.test(start.slice(end + 2).trimStart());
}

/** A part of a larger program imports the files beside it. What is named by `@/` may be on the shelf. */
function isComponent(source: string): boolean {
  if (!source.includes('export default')) return false;
  return !['from "./', "from './", 'from "../', "from '../"].some((one) => source.includes(one));
}

/** Whether a block is a thing of its own beside its answer. */
export function isWhole({ id }: FenceInfo, source: string, kind: ArtifactKind): boolean {
  if (id !== null) return true;
  const least = kind === 'svg' ? DRAWING_LINES_MIN : LINES_MIN;
  let lines = 1;
  for (let at = source.indexOf('\n'); at >= 0 && lines < least; at = source.indexOf('\n', at + 1)) lines++;
  return lines >= least;
}

/** What a source calls itself; null where it says nothing. */
export function titleInSource(kind: ArtifactKind, source: string): string | null {
  const start = source.slice(0, TITLE_WITHIN);
  switch (kind) {
    case 'html':
      return inElement(start, 'title') ?? inElement(start, 'h1');
    case 'svg':
      return inElement(start, 'title');
    case 'markdown':
      return after(start, (line) => /^#{1,6} /.test(line), '#');
    case 'mermaid':
      return after(start, (line) => /^(?:title|accTitle)[: ]/.test(line), ':');
    case 'react':
      return componentName(start);
    case 'csv':
      return null;
    default:
      return kind satisfies never;
  }
}

function inElement(source: string, name: string): string | null {
  const lower = source.toLowerCase();
  const open = lower.indexOf(`<${name}`);
  const from = open < 0 ? -1 : lower.indexOf('>', open);
  const to = from < 0 ? -1 : lower.indexOf(`</${name}`, from);
  return to < 0 ? null : asTitle(withoutMarkup(source.slice(from + 1, to)));
}

function withoutMarkup(text: string): string {
  const pieces = text.split('<').map((piece, n) => (n === 0 ? piece : piece.slice(piece.indexOf('>') + 1)));
  return pieces
    .join(' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

/** The rest of the first such line, behind its mark. */
function after(source: string, isIt: (line: string) => boolean, mark: string): string | null {
  const line = source
    .split('\n')
    .find((one) => isIt(one.trim()))
    ?.trim();
  if (line === undefined) return null;
  if (mark === '#') return asTitle(line.slice(line.indexOf(' ') + 1));
  const [word = ''] = line.split(/[: ]/, 1);
  return asTitle(line.slice(word.length + 1));
}

function componentName(source: string): string | null {
  const rest = source.split('export default ')[1];
  const name = rest && /^(?:async )?(?:function |class )?([A-Z]\w{0,79})/.exec(rest)?.[1];
  return name ? asTitle(name) : null;
}

/** One line of a sensible length; null for nothing. */
function asTitle(text: string): string | null {
  const line = text.split(/\s/).filter(Boolean).join(' ');
  if (line === '') return null;
  return line.length <= TITLE_MAX ? line : `${line.slice(0, TITLE_MAX - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
