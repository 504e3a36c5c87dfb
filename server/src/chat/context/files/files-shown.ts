// Decides how a model is shown the attached files of a branch that are no images: whole while all of them fit a quarter
// of its window, otherwise by the passages found for the question.
import type { NamedOnly } from '@parley/schema/files/documents';
import { isTextType } from '@parley/schema/files/file-types';
import type { ContextFile, FilePart, PassagePosition } from '@parley/schema/messages/messages';
import { formatPassages, type ShownPassage } from '../../../retrieval/cite.ts';
import { readDocuments, type DocumentRow } from '../../../retrieval/documents.ts';
import { NOT_TAKEN, type FileView } from './attachments.ts';
import { isLent, isSearchable, type FileReading } from './file-reading.ts';
import { showWhole } from './whole-files.ts';
import { createPdfChooser } from './choose-pdfs.ts';
import type { FileRules } from '../context-limits.ts';

/** The files of a branch and the question that they are shown for. */
export interface AskedFiles extends FileRules {
  /** The newest first, each once. */
  files: readonly FilePart[];
  question: string;
}

export interface FilesShown {
  view: FileView;
  /** All that have numbers: those of files that are shown whole, then those that were found. */
  passages: readonly ShownPassage[];
  /** How many were found for the question. */
  found: number;
  record: ContextFile[];
}

/** Limits the tokens of all passages together. */
export const PASSAGE_TOKENS = 6000;

/** Reads what is shown. The documents must have been waited for: one that is not indexed yet is only named. */
export async function showFiles(reading: FileReading, asked: AskedFiles): Promise<FilesShown> {
  const { files, question, tokensMax } = asked;
  const documents = await readShownDocuments(reading, files);
  const { pdfs, readable, shareable } = sortFiles(reading, asked, documents);
  const whole = await showWhole(reading, shareable, documents, tokensMax);
  const searched = readable.filter(({ fileId }) => !whole.blocks.has(fileId) && isSearchable(documents.get(fileId)));
  const foundTokensMax = Math.min(PASSAGE_TOKENS, Math.floor(whole.blocks.size === 0 ? tokensMax : tokensMax / 2));
  const found = await findIn(reading, searched, documents, { question, tokensMax: foundTokensMax });
  const record = files.map((file): ContextFile => {
    const { fileId, name } = file;
    const placesIn = (passages: readonly ShownPassage[]) =>
      passages.filter((passage) => passage.fileId === fileId).map(placeOf);
    if (whole.blocks.has(fileId) || pdfs.has(fileId)) {
      const numbered = placesIn(whole.passages);
      return { fileId, name, shown: 'whole', ...(numbered.length > 0 && { passages: numbered }) };
    }
    const why = found.unreachable.has(fileId) ? 'error' : searchableText(file, documents.get(fileId));
    return why
      ? { fileId, name, shown: 'name', why }
      : { fileId, name, shown: 'passages', passages: placesIn(found.passages) };
  });
  const lines = new Map(record.map((one) => [one.fileId, fileLine(one)]));
  const view: FileView = {
    show: async (file) => {
      const tokens = pdfs.get(file.fileId);
      if (tokens !== undefined) return { tokens, file };
      return { text: whole.blocks.get(file.fileId) ?? lines.get(file.fileId) ?? `[file: ${file.name}]` };
    },
    passages: formatPassages(found.passages, whole.passages.length),
  };
  return { view, passages: [...whole.passages, ...found.passages], found: found.passages.length, record };
}

/** The ids of the files that are shown whole, as far as the documents are known by now. */
export async function wholeFiles(
  reading: FileReading,
  asked: AskedFiles,
  documents: ReadonlyMap<string, DocumentRow>,
): Promise<ReadonlySet<string>> {
  const { shareable } = sortFiles(reading, asked, documents);
  const { blocks } = await showWhole(reading, shareable, documents, asked.tokensMax);
  return new Set(blocks.keys());
}

/** The files that are sent as they are, those of the others that have text, and those of these that may be whole. */
function sortFiles(
  { lent }: Pick<FileReading, 'lent'>,
  asked: AskedFiles,
  documents: ReadonlyMap<string, DocumentRow>,
) {
  const pdfs = pdfsOf({ ...asked, files: asked.files.filter((file) => !isLent(lent, file)) }, documents);
  const readable = asked.files.filter(
    (file) => !pdfs.has(file.fileId) && namedOnly(file, documents.get(file.fileId)) === null,
  );
  return { pdfs, readable, shareable: readable.filter((file) => !isLent(lent, file)) };
}

/** Finds passages for the question, and the files in which nothing could be searched. */
async function findIn(
  reading: FileReading,
  files: readonly FilePart[],
  documents: ReadonlyMap<string, DocumentRow>,
  asked: Pick<AskedFiles, 'question' | 'tokensMax'>,
): Promise<{ passages: ShownPassage[]; unreachable: ReadonlySet<string> }> {
  const unreachable = new Set<string>();
  const names = new Map(files.map(({ fileId, name }) => [fileId, name]));
  const onUnreachable = (fileId: string) => void unreachable.add(fileId);
  const found = files.length === 0 ? [] : await reading.find({ ...asked, fileIds: [...names.keys()], onUnreachable });
  const passages = found.map((passage) => {
    const encoding = documents.get(passage.fileId)?.encoding;
    return { ...passage, name: names.get(passage.fileId) ?? '', ...(encoding && { encoding }) };
  });
  return { passages, unreachable };
}

function placeOf({ n, page, last }: ShownPassage): PassagePosition {
  return { n, page, ...(last !== undefined && { last }) };
}

/** The files that are sent as they are, with their tokens. */
function pdfsOf({ files, ...rules }: AskedFiles, documents: ReadonlyMap<string, DocumentRow>) {
  const tokensAsPdf = createPdfChooser(rules);
  const chosen = files.map((file) => [file.fileId, tokensAsPdf(file, documents.get(file.fileId))] as const);
  return new Map(chosen.filter((one): one is [string, number] => one[1] !== null));
}

/** Reads the documents of the user's own files and of those that are lent, by file. */
export async function readShownDocuments(
  { query, userId, lent }: Pick<FileReading, 'query' | 'userId' | 'lent'>,
  files: readonly FilePart[],
): Promise<Map<string, DocumentRow>> {
  const ids = files.map(({ fileId }) => fileId);
  const own = await readDocuments(query, userId, ids);
  const all = [...own];
  for (const { ownerId, fileIds } of lent) {
    const theirs = ids.filter((id) => fileIds.has(id));
    if (theirs.length > 0) all.push(...(await readDocuments(query, ownerId, theirs)));
  }
  return new Map(all.map((row) => [row.fileId, row]));
}

/** Why no text of the file can be shown; null when some can. Plain text is read from the file itself. */
export function namedOnly({ mime }: FilePart, document: DocumentRow | undefined): NamedOnly | null {
  if (document?.state === 'failed' && !isTextType(mime)) return document.reason ?? 'error';
  if (isTextType(mime) || isSearchable(document)) return null;
  return document ? 'indexing' : 'gone';
}

/** Why a file that is not shown whole has no passages; null when it may have some. */
function searchableText(file: FilePart, document: DocumentRow | undefined): NamedOnly | null {
  const why = namedOnly(file, document);
  if (why !== null || isSearchable(document)) return why;
  return document?.state === 'failed' ? (document.reason ?? 'error') : 'indexing';
}

/** Writes the line that stands for a file in the message that it is attached to. */
export function fileLine({ name, ...how }: ContextFile): string {
  if (how.shown !== 'name') return `[file: ${name}]`;
  return how.why === 'gone' ? `[file: ${name}]` : `[file: ${name}; ${WORDS[how.why]}]`;
}

const WORDS: Record<Exclude<NamedOnly, 'gone'>, string> = {
  not_taken: NOT_TAKEN,
  indexing: 'it is still being read',
  unsupported: 'its text cannot be read',
  no_text: 'it has no text',
  encrypted: 'it is locked by a password',
  damaged: 'it is damaged',
  too_large: 'its text is too long',
  timed_out: 'reading it took too long',
  out_of_memory: 'its text is too long',
  error: 'its text cannot be read',
};
