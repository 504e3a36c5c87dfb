// Of the words that a person sees in real files, how many the model is told. The files come from packages of Debian;
// LibreOffice and poppler show what is on their pages. Prints what is missing, the most frequent first.
import { execFile } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { extractPath, textOf, types } from '../../support/retrieval/documents.ts';

const run = promisify(execFile);

/** They show what is on the pages, and unpack the corpus. */
const PROGRAMS = [
  ['soffice', '--version'],
  ['pdftotext', '-v'],
  ['apt-get', '--version'],
  ['dpkg-deb', '--version'],
] as const;

/** Downloaded once, into a folder that later runs find. */
const PACKAGES = [
  'libreoffice-common',
  'libreoffice-dmaths',
  'libspreadsheet-parseexcel-perl',
  'python3-docx',
  'python3-relatorio',
  'r-cran-gdata',
  'r-cran-officer',
  'r-cran-openxlsx',
  'r-cran-readxl',
  'r-cran-rio',
  'texlive-latex-base-doc',
];
const CORPUS = join(tmpdir(), 'parley-corpus');
/** Of each kind, in even steps through all in the order of their names; none is larger. */
const FILES_MAX = 25;
const BYTES_MAX = 700_000;

/** What the files of the corpus are converted to as well: the same words in other formats. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  docx: ['odt', 'rtf', 'doc'],
  xlsx: ['ods', 'xls'],
  pptx: ['odp'],
  odt: ['docx', 'rtf', 'doc'],
  ott: ['docx', 'odt'],
  otp: ['pptx', 'odp'],
};
const ORIGINALS = ['docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp', 'xls', 'pdf', 'ott', 'otp'] as const;
/** All sheets, with numbers in their formats, in UTF-8. */
const CSV = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,true,false,false,-1';
const SHARE_MIN = 0.95;

const folder = mkdtempSync(join(tmpdir(), 'parley-seen-'));

beforeAll(async () => {
  for (const [program, argument] of PROGRAMS) {
    await run(program, [argument]).catch((error: unknown) => {
      throw new Error(`${program} does not run; on Debian or Ubuntu: apt-get install libreoffice poppler-utils`, {
        cause: error,
      });
    });
  }
  mkdirSync(CORPUS, { recursive: true });
  for (const name of PACKAGES) {
    const target = join(CORPUS, name);
    if (existsSync(target)) continue;
    const hasIt = await run('apt-get', ['download', '-q', name], { cwd: folder }).then(
      () => true,
      () => false,
    );
    const archive = readdirSync(folder).find((file) => file.startsWith(`${name}_`));
    if (!hasIt || archive === undefined) {
      process.stdout.write(`apt-get downloads no package ${name}: its files are not measured\n`);
      continue;
    }
    await run('dpkg-deb', ['-x', join(folder, archive), `${target}.part`]);
    renameSync(`${target}.part`, target);
  }
}, 1_800_000);
afterAll(() => rmSync(folder, { recursive: true }));

it.each(ORIGINALS)(
  'of the words that a person sees in files of %s, the model is told nearly all',
  async (ending) => {
    const results: { file: string; seen: number; missing: string[] }[] = [];
    const originals = filesOf(ending);
    const shown = await textsSeen(originals, ending);
    const formats = await inAllFormats(originals, ending);
    // XLS has fewer columns than what is converted to it.
    const narrow = formats.flat().filter((file) => file.endsWith('.xls'));
    const left = await textsSeen(narrow, 'xls');
    for (const [at, files] of formats.entries()) {
      for (const file of files) {
        const pages = left[narrow.indexOf(file)] ?? shown[at] ?? '';
        const seen = wordsIn(pages);
        if (seen.size === 0) continue;
        const text = await toldOf(file);
        const told = new Set([...wordsIn(text), ...brokenWords(pages, text)]);
        results.push({ file: basename(file), seen: seen.size, missing: [...seen].filter((word) => !told.has(word)) });
      }
    }
    expect(results.length).toBeGreaterThan(0);
    for (const format of new Set(results.map(({ file }) => extname(file).slice(1)))) {
      const some = results.filter(({ file }) => file.endsWith(`.${format}`));
      const all = some.reduce((sum, { seen }) => sum + seen, 0);
      const missing = some.reduce((sum, one) => sum + one.missing.length, 0);
      const share = 1 - missing / all;
      const lists = some
        .filter((one) => one.missing.length > 0)
        .map((one) => `  ${one.file}: ${one.missing.join(' ')}`);
      process.stdout.write(
        `${ending} as ${format}: ${some.length} files, ${all} words, ${(share * 100).toFixed(1)} % told\n${lists.map((line) => line.slice(0, 300)).join('\n')}\n`,
      );
      expect.soft(share, `${ending} as ${format}`).toBeGreaterThanOrEqual(SHARE_MIN);
    }
  },
  1_800_000,
);

function filesOf(ending: string): string[] {
  const all = readdirSync(CORPUS, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(`.${ending}`))
    .map((entry) => join(entry.parentPath, entry.name));
  const small = all.filter((path) => statSync(path).size <= BYTES_MAX).toSorted();
  const step = Math.max(1, small.length / FILES_MAX);
  return small.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
}

async function toldOf(path: string): Promise<string> {
  const outcome = await extractPath(path, typeOf(path));
  return outcome.type === 'text' ? `${textOf(outcome)} ${outcome.chunks.map(({ heading }) => heading).join(' ')}` : '';
}

function typeOf(path: string): string {
  const ending = extname(path).slice(1);
  const found = Object.entries(types).find(([name]) => name === ending)?.[1];
  return found ?? (ending === 'ott' ? types.odt : types.odp);
}

/** Of each file, the files to measure: itself, unless it is a template, and what it is converted to. */
async function inAllFormats(paths: readonly string[], ending: string): Promise<string[][]> {
  const files = paths.map((path) => (ending === 'ott' || ending === 'otp' ? [] : [path]));
  for (const format of ALSO[ending] ?? []) {
    const converted = await convert(paths, format);
    for (const [at, made] of converted.entries()) files[at]?.push(...made);
  }
  return files;
}

/** Of each file, what stands on its pages, and in the cells of all its sheets. */
async function textsSeen(paths: readonly string[], ending: string): Promise<string[]> {
  if (/^(xlsx|ods|xls)$/.test(ending)) {
    const sheets = await convert(paths, CSV);
    return sheets.map((some) => some.map((sheet) => readFileSync(sheet, 'utf8')).join('\n'));
  }
  const pages = ending === 'pdf' ? paths.map((path) => [path]) : await convert(paths, 'pdf');
  return Promise.all(
    pages.map(async ([pdf]) => {
      if (pdf === undefined) return '';
      // LibreOffice writes cell by cell, so that the pieces of a word in a narrow column follow each other.
      const order = ending === 'pdf' ? [] : ['-raw'];
      return (await run('pdftotext', [...order, pdf, '-'], { maxBuffer: 64 * 1024 * 1024 })).stdout;
    }),
  );
}

/** Of each file, what LibreOffice makes of it. It starts once for all: that takes longer than to convert one. */
async function convert(paths: readonly string[], format: string): Promise<string[][]> {
  const source = mkdtempSync(join(folder, 'in-'));
  const out = mkdtempSync(join(folder, 'out-'));
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
  const copies = paths.map((path, at) => join(source, `${at}_${basename(path)}`));
  for (const [at, copy] of copies.entries()) copyFileSync(paths[at] ?? '', copy);
  if (copies.length > 0) {
    await run('soffice', [profile, '--headless', '--convert-to', format, '--outdir', out, ...copies], {
      maxBuffer: 64 * 1024 * 1024,
      timeout: 1_200_000,
    });
  }
  const made = readdirSync(out);
  return paths.map((_, at) => made.filter((name) => name.startsWith(`${at}_`)).map((name) => join(out, name)));
}

/** Days, which are told in one form whatever their format, and times. */
const DATE = /\b\d{1,4}([./-])\d{1,2}\1\d{1,4}\b|\b\d{1,2}:\d\d(:\d\d)?( [AP]M)?\b/g;

/** Lines over which a narrow column spreads one word. */
const LINES_MAX = 5;

/** The parts of words that the page divides over lines, with a hyphen or without, and that are told whole. */
function brokenWords(shown: string, told: string): Set<string> {
  const whole = new Set(told.split(/[\s|]+/).map(bareOf));
  const lines = shown.split('\n').map((line) => line.trim().split(/\s+/));
  const parts: string[] = [];
  for (const [at, line] of lines.entries()) {
    const pieces = [line.at(-1) ?? ''];
    for (const next of lines.slice(at + 1, at + LINES_MAX)) {
      pieces.push(next[0] ?? '');
      if (whole.has(bareOf(pieces.map((piece) => piece.replace(/[-\u00ad\u2010]$/, '')).join(''))))
        parts.push(...pieces);
      if (next.length > 1) break;
    }
  }
  return wordsIn(parts.join('\n\n'));
}

/** A word without what stands around it. */
function bareOf(word: string): string {
  return word
    .normalize('NFKC')
    .toLowerCase()
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{M}\p{N}]+$/gu, '');
}

/** Numbers, which programs show with a point or a comma and with more or fewer figures, to six of them. */
const FRACTION = /\d+[.,]\d{5,}(e[-+]?\d+)?|\d+([.,]\d+)?e[-+]\d+/gi;

/** The words of at least two letters or figures; one that a line divides is one. */
function wordsIn(text: string): Set<string> {
  const plain = text
    .normalize('NFKC')
    .replace(/(\p{L})[-\u00ad]\n(?=\p{Ll})/gu, '$1')
    .replace(DATE, ' ')
    .replace(FRACTION, (number) => ` ${Number(Number(number.replace(',', '.')).toPrecision(6))} `);
  return new Set(plain.toLowerCase().match(/[\p{L}\p{M}\p{N}]{2,}/gu));
}
