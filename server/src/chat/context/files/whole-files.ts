// Files that a model is shown whole: as many as fit, each in numbered passages by page or heading, so that it can cite
// them.
import { isTextType } from '@parley/schema/files/file-types';
import type { FilePart } from '@parley/schema/messages/messages';
import { countTokens } from '../../../catalog/count-tokens.ts';
import { fileBlock, formatPassage, type ShownPassage } from '../../../retrieval/cite.ts';
import type { DocumentRow } from '../../../retrieval/documents.ts';
import { cutText, type TextSection } from '../../../retrieval/passages.ts';
import { isSearchable, type FileReading } from './file-reading.ts';

/** The text of one file. */
interface WholeText {
  sections: readonly TextSection[];
  /** Where it was guessed. */
  encoding?: string;
}

/** Fewer bytes than this for each token: a text of more cannot fit, and is not even read. */
const TOKEN_BYTES_MAX = 16;
/** Marks have three digits, and searches need some of them. */
const NUMBERS_MAX = 800;

/**
 * The texts that fit as blocks, by file, and their passages in the order of their numbers. Where some are too large, half
 * of the tokens stay for what is found in those.
 * @param files the newest first
 */
export async function showWhole(
  reading: FileReading,
  files: readonly FilePart[],
  documents: ReadonlyMap<string, DocumentRow>,
  tokensMax: number,
): Promise<{ blocks: Map<string, string>; passages: ShownPassage[] }> {
  const all = await readWhole(reading, files, documents, tokensMax);
  const texts = all.size === files.length ? all : await readWhole(reading, files, documents, tokensMax / 2);
  return numberWhole(files, texts, reading.citesWhole);
}

/** The texts of the files as long as they fit. */
async function readWhole(
  reading: FileReading,
  files: readonly FilePart[],
  documents: ReadonlyMap<string, DocumentRow>,
  tokensMax: number,
): Promise<Map<string, WholeText>> {
  const texts = new Map<string, WholeText>();
  let left = tokensMax;
  for (const file of files) {
    const document = documents.get(file.fileId);
    const isTooLarge = isSearchable(document)
      ? (document?.tokens ?? 0) > 2 * left
      : file.bytes > TOKEN_BYTES_MAX * left;
    const text = isTooLarge ? null : await readText(reading, file, document);
    const tokens = text === null ? 0 : await countTokens(blockOf(passagesOf(file, text), NUMBERS_MAX));
    if (text === null || tokens > left) continue;
    texts.set(file.fileId, text);
    left -= tokens;
  }
  return texts;
}

async function readText(
  { sectionsOf, textOf }: FileReading,
  file: FilePart,
  document: DocumentRow | undefined,
): Promise<WholeText | null> {
  if (isTextType(file.mime)) {
    const read = await textOf(file);
    const chunks = isSearchable(document) ? (document?.chunks ?? 1) : 1;
    return read && { sections: cutText(read.text, chunks), ...(read.guessed !== null && { encoding: read.guessed }) };
  }
  const sections = await sectionsOf(file.fileId);
  return sections.length === 0 ? null : { sections };
}

/**
 * The oldest file has the first numbers: what earlier messages of a conversation contain stays the same while files are
 * added, as caches of providers want it.
 */
function numberWhole(files: readonly FilePart[], texts: ReadonlyMap<string, WholeText>, isCited: boolean) {
  const blocks = new Map<string, string>();
  const passages: ShownPassage[] = [];
  for (const file of files.toReversed()) {
    const text = texts.get(file.fileId);
    if (!text) continue;
    const own = passagesOf(file, text);
    const isNumbered = isCited && passages.length + own.length <= NUMBERS_MAX;
    blocks.set(file.fileId, blockOf(own, isNumbered ? passages.length : null));
    if (isNumbered) passages.push(...own);
  }
  return { blocks, passages };
}

function passagesOf({ fileId, name }: FilePart, { sections, encoding }: WholeText): ShownPassage[] {
  return sections.map(({ n, last, text, ...place }) => ({
    fileId,
    name,
    n,
    ...place,
    body: text,
    ...(last > n && { last }),
    ...(encoding !== undefined && { encoding }),
  }));
}

/** @param before how many numbers are taken; null without numbers */
function blockOf(passages: readonly ShownPassage[], before: number | null): string {
  const blocks = passages.map((passage, at) =>
    before === null ? fileBlock(passage, passage.body) : formatPassage(passage, before + at + 1),
  );
  return blocks.join('\n');
}
