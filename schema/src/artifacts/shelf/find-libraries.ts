// Which libraries the source of an artifact asks for, so that a card can say what is not there before anything runs. The
// work is linear.
import type { ArtifactKind } from '../artifact-kind.ts';
import { isAddress, nameOfSpecifier, otherVersion, readLibraryAddress, shelfModule } from './addresses.ts';
import { partOfPackage } from './libraries.ts';
import { asFields, parseJson } from '../../json.ts';

export interface LibraryUse {
  /** The names of libraries that are not on the shelf. */
  missing: string[];
  /** Those of which the shelf has another version. */
  others: { title: string; asked: string; here: string }[];
}

/** Characters of a tag that are read. */
const TAG_MAX = 2_000;
const NONE: LibraryUse = { missing: [], others: [] };

export function findLibraries(kind: ArtifactKind, source: string): LibraryUse {
  if (kind !== 'react' && kind !== 'html' && kind !== 'svg') return NONE;
  const asked = [...new Set(kind === 'react' ? importsIn(source) : askedByPage(source))];
  const others = asked.flatMap((one) => otherVersion(one) ?? []);
  return {
    missing: [...new Set(asked.filter(isMissing).map(nameOfSpecifier))],
    others: others.filter(({ title }, at) => others.findIndex((one) => one.title === title) === at),
  };
}

/** Files of addresses that name no library are told where they are loaded. */
function isMissing(specifier: string): boolean {
  if (isAddress(specifier) && readLibraryAddress(specifier) === null) return false;
  return shelfModule(specifier) === null;
}

/** The names and addresses that a program imports, in the order of its lines. */
export function importsIn(program: string): string[] {
  const found: string[] = [];
  for (const line of program.split('\n')) {
    const isStatement = /^\s*(?:import|export|\})/.test(line);
    if (!isStatement && !line.includes('import(')) continue;
    for (const [, called, specifier = ''] of line.matchAll(
      /\b(?:from|import)[ \t]?(\()?[ \t]?["'`]([^"'`\s]{1,200})["'`]/g,
    ))
      if (isStatement || called) found.push(specifier);
  }
  return found;
}

/** What a page loads by its tags and imports in its scripts. */
function askedByPage(source: string): string[] {
  const links = tagsIn(source, 'link').map(({ tag }) => attribute(tag, 'href'));
  const stylesheets = links.filter((one) => isAddress(one) && readLibraryAddress(one) !== null);
  const scripts = tagsIn(source, 'script').flatMap(({ tag, body }) => {
    const src = attribute(tag, 'src');
    if (src !== '') return readLibraryAddress(src) === null ? [] : [src];
    const type = attribute(tag, 'type');
    return type === 'importmap' ? addressesOfMap(body) : importsIn(body);
  });
  const mapped = namesOfMap(source);
  return [...stylesheets, ...scripts].filter((one) => !isMapped(one, mapped));
}

/** The text of each such tag, and what stands behind it up to its end. */
function tagsIn(source: string, name: string): { tag: string; body: string }[] {
  const lower = source.toLowerCase();
  const found: { tag: string; body: string }[] = [];
  for (let at = lower.indexOf(`<${name}`); at >= 0; at = lower.indexOf(`<${name}`, at + 1)) {
    const end = source.indexOf('>', at);
    if (end < 0) break;
    const close = name === 'link' ? end : lower.indexOf(`</${name}`, end);
    found.push({
      tag: source.slice(at, Math.min(end, at + TAG_MAX)),
      body: source.slice(end + 1, close < 0 ? undefined : close),
    });
    if (close > at) at = close;
  }
  return found;
}

function attribute(tag: string, name: string): string {
  for (const [, word = '', quoted, plain] of tag.matchAll(/\s([a-z-]+)=(?:["']([^"']*)["']|([^\s"'>]+))/gi))
    if (word.toLowerCase() === name) return quoted ?? plain ?? '';
  return '';
}

function readMap(text: string): Readonly<Record<string, unknown>> {
  return asFields(asFields(parseJson(text)).imports);
}

/** An import map: names and the addresses they stand for. */
export function readImportMap(text: string): [name: string, address: string][] {
  return Object.entries(readMap(text)).flatMap(([name, to]) => (typeof to === 'string' ? [[name, to]] : []));
}

/** Of the libraries that a map names; one that ends with a slash is a folder of another one. */
function addressesOfMap(text: string): string[] {
  const addresses = readImportMap(text).flatMap(([, to]) => (to.endsWith('/') ? [] : [to]));
  return addresses.filter((one) => readLibraryAddress(one) !== null);
}

function namesOfMap(source: string): string[] {
  const maps = tagsIn(source, 'script').filter(({ tag }) => attribute(tag, 'type') === 'importmap');
  return maps.flatMap(({ body }) => readImportMap(body).map(([name]) => name));
}

/** A name that a map explains is judged by the address that it stands for. */
function isMapped(specifier: string, names: readonly string[]): boolean {
  if (isAddress(specifier) || partOfPackage(specifier) !== undefined) return false;
  return names.some((name) => specifier === name || (name.endsWith('/') && specifier.startsWith(name)));
}
