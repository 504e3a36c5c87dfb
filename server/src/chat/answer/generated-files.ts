// The links of a reply to files that its tools have made.
import { messageToolFiles, type MessagePart } from '@parley/schema/messages/messages';

/** Begins the address of a file in the code interpreter's folder, as models write it. */
const FOLDER = 'sandbox:/mnt/data/';
/** Continues the name of a file, so that another file is meant. */
const CONTINUES = /^(?:[\w%-]|\.\w)/;

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
