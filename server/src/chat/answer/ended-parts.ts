// The parts of a reply that has ended, as they are saved.
import { type Message, type MessagePart, messageToolFiles } from '@parley/schema/messages/messages';
import { settleCalls } from '../../agents/settle-calls.ts';
import type { CitablePassage } from '../../generation/delta.ts';
import { withCitations } from '../../retrieval/cite.ts';
import { citationMarksIn } from '@parley/schema/messages/citation-marks';
import { isSourcesCall, readWebSources, writeWebSources, type WebSource } from '@parley/schema/tools/web-sources';
import { lastSourceNumberIn } from './open-step.ts';

/** Longer numbers are no marks. */
const NUMBER_MAX = 999;

/** Begins the address of a file in the code interpreter's folder, as models write it. */
const FOLDER = 'sandbox:/mnt/data/';

/** Continues the name of a file, so that another file is meant. */
const CONTINUES = /^(?:[\w%-]|\.\w)/;

/** Settles the calls, and adds the paths of generated files, one list of searched pages, and citations. */
export function endedParts(
  { parts, reason, finishReason }: Message,
  passages: readonly CitablePassage[],
): MessagePart[] {
  if (passages.length === 0 && parts.every(({ type }) => type === 'text' || type === 'reasoning')) return parts;
  const isStopped = reason === null && finishReason === 'incomplete';
  const settled = withGeneratedFiles(settleCalls(parts, isStopped ? 'stopped' : 'ended'));
  return withCitations(withOneSourceList(settled, passages), passages);
}

// The links of a reply to files that its tools have made.
interface MadeFile {
  /** It is written as it may stand in an address. */
  written: string;
  path: string;
}

/**
 * Puts the path of the file in place of each `sandbox:/mnt/data/<name>`: of files of the same name, the newest. Names
 * of no file stay as they are; citations move with their marks.
 */
export function withGeneratedFiles(parts: readonly MessagePart[]): MessagePart[] {
  const files = madeFilesOf(parts);
  if (files.length === 0) return [...parts];
  return parts.map((part) => {
    if (part.type !== 'text' || !part.text.includes(FOLDER)) return part;
    const { text, citations } = part;
    const moved = citations?.map((one) => ({ ...one, at: withPaths(text.slice(0, one.at), files).length }));
    return { ...part, text: withPaths(text, files), ...(moved && { citations: moved }) };
  });
}

/** Lists each under all forms of its name, the longest first. */
function madeFilesOf(parts: readonly MessagePart[]): MadeFile[] {
  const paths = new Map<string, string>();
  for (const { name, path } of messageToolFiles({ parts: [...parts] })) {
    if (name === undefined || name === '') continue;
    for (const written of [name, encodeURI(name.toWellFormed()), encodeURIComponent(name.toWellFormed())])
      paths.set(written, path);
  }
  const files = [...paths].map(([written, path]) => ({ written, path }));
  return files.toSorted((a, b) => b.written.length - a.written.length);
}

function withPaths(text: string, files: readonly MadeFile[]): string {
  const [before = '', ...links] = text.split(FOLDER);
  return [before, ...links.map((link) => withPath(link, files))].join('');
}

/** `link` begins behind the folder. */
function withPath(link: string, files: readonly MadeFile[]): string {
  const file = files.find(({ written }) => link.startsWith(written) && !CONTINUES.test(link.slice(written.length)));
  return file ? file.path + link.slice(file.written.length) : FOLDER + link;
}

// The pages that a provider has searched by itself for the runs and steps of one reply, as one list. Each run counts its
// own from 1, so the marks of the later ones get the numbers that their pages have in the whole.
type Sources = Extract<MessagePart, { type: 'tool_call' }>;

/** A list stands behind the text that it is for. The numbers of passages, from 1, remain those of the passages. */
export function withOneSourceList(parts: MessagePart[], passages: readonly CitablePassage[]): MessagePart[] {
  if (parts.filter(isSources).length < 2) return parts;
  const numbers = new Map<string, number>();
  const all: WebSource[] = [];
  let most = Math.max(passages.length, lastSourceNumberIn({ parts }));
  let first: Sources | undefined;
  let told: MessagePart[] = [];
  const whole: MessagePart[] = [];
  for (const part of parts) {
    if (!isSources(part)) {
      told.push(part);
      continue;
    }
    const found = readWebSources(part.call.output ?? '');
    whole.push(...told.map((one) => withNumbers(one, first ? numberAll(found) : keepAll(found), passages.length)));
    if (!first) whole.push((first = { ...part }));
    told = [];
  }
  if (first) first.call = { ...first.call, output: writeWebSources(all) };
  return [...whole, ...told];

  function keepAll(found: readonly WebSource[]): ReadonlyMap<number, number> {
    for (const source of found) add(source, source.n);
    return new Map();
  }

  function numberAll(found: readonly WebSource[]): ReadonlyMap<number, number> {
    for (const source of found) if (!numbers.has(source.url) && most < NUMBER_MAX) add(source, most + 1);
    return new Map(found.map(({ n, url }) => [n, numbers.get(url) ?? n]));
  }

  function add(source: WebSource, n: number): void {
    all.push({ ...source, n });
    numbers.set(source.url, n);
    most = Math.max(most, n);
  }
}

function isSources(part: MessagePart): part is Sources {
  return part.type === 'tool_call' && isSourcesCall(part.call);
}

function withNumbers(part: MessagePart, numbers: ReadonlyMap<number, number>, passages: number): MessagePart {
  if (part.type !== 'text' || numbers.size === 0) return part;
  let text = '';
  let from = 0;
  for (const { at, n } of citationMarksIn(part.text)) {
    const end = part.text.indexOf(']', at) + 1;
    const number = n > passages ? numbers.get(n) : undefined;
    text += part.text.slice(from, at) + (number === undefined ? part.text.slice(at, end) : `[${number}]`);
    from = end;
  }
  return { ...part, text: text + part.text.slice(from) };
}
