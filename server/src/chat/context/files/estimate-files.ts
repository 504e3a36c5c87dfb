// How many tokens the attached files of a branch would take, without reading them: for previews and prices.
import type { Query } from '@parley/db/client';
import { isTextType } from '@parley/schema/files/file-types';
import type { FilePart } from '@parley/schema/messages/messages';
import { readDocuments, type DocumentRow } from '../../../retrieval/documents.ts';
import type { FileView, ShownText } from './attachments.ts';
import { createPdfChooser } from './choose-pdfs.ts';
import type { FileRules } from '../context-limits.ts';
import { isSearchable } from './file-reading.ts';
import { lineOf, namedOnly, PASSAGE_TOKENS } from './files-shown.ts';

const BYTES_PER_TOKEN = 4;
/** Of a file that is no plain text, such as a PDF with its fonts and pictures. */
const DOCUMENT_BYTES_PER_TOKEN = 40;

/** A file that is asked for again has the same price. */
export function estimateFiles(query: Query, userId: string, { tokensMax, ...rules }: FileRules): FileView {
  const tokensAsPdf = createPdfChooser(rules);
  const known = new Map<string, Promise<ShownText>>();
  let left = tokensMax;
  let isSearched = false;
  return { show, passages: async () => ({ tokens: 0 }) };

  function show(file: FilePart): Promise<ShownText> {
    const told = known.get(file.fileId) ?? price(file);
    known.set(file.fileId, told);
    return told;
  }

  async function price(file: FilePart): Promise<ShownText> {
    const [document] = await readDocuments(query, userId, [file.fileId]);
    const asPdf = tokensAsPdf(file, document);
    if (asPdf !== null) return { tokens: asPdf, file };
    const why = document?.state === 'failed' ? namedOnly(file, document) : null;
    if (why) return { text: lineOf({ fileId: file.fileId, name: file.name, shown: 'name', why }) };
    const tokens = tokensOf(file, document);
    if (tokens <= left) {
      left -= tokens;
      return { tokens };
    }
    if (isSearched) return { tokens: 0 };
    isSearched = true;
    return { tokens: Math.min(PASSAGE_TOKENS, left) };
  }

  function tokensOf({ mime, bytes }: FilePart, document: DocumentRow | undefined): number {
    if (document && isSearchable(document)) return document.tokens;
    return Math.ceil(bytes / (isTextType(mime) ? BYTES_PER_TOKEN : DOCUMENT_BYTES_PER_TOKEN));
  }
}
