// Which attached PDFs a model is sent as files, with their pictures and layout, in place of their text.
import type { PdfRule } from '@parley/schema/catalog/pdf';
import type { FilePart } from '@parley/schema/messages/messages';
import type { DocumentRow } from '../../retrieval/documents.ts';

/** Of a PDF whose pages are not known, such as one that the index could not read. */
const BYTES_PER_TOKEN = 40;

/**
 * Decides file by file, the newest first, as long as all of them fit the rule and `tokensMax` tokens. Returns a file's
 * tokens, or null where its text is shown. The same file again gets the same answer and counts once.
 */
export function createPdfChooser(rule: PdfRule | null, tokensMax: number) {
  const known = new Map<string, number | null>();
  let [bytes, pages, tokens] = [0, 0, 0];
  return (file: FilePart, document: Pick<DocumentRow, 'pages'> | undefined): number | null => {
    const before = known.get(file.fileId);
    if (before !== undefined) return before;
    const chosen = choose(file, document?.pages ?? null);
    known.set(file.fileId, chosen);
    return chosen;
  };

  function choose(file: FilePart, itsPages: number | null): number | null {
    if (!rule || file.mime !== 'application/pdf') return null;
    const itsTokens = itsPages === null ? Math.ceil(file.bytes / BYTES_PER_TOKEN) : itsPages * rule.tokensPerPage;
    const fits =
      bytes + file.bytes <= rule.bytesMax &&
      pages + (itsPages ?? 0) <= rule.pagesMax &&
      tokens + itsTokens <= tokensMax;
    if (!fits) return null;
    bytes += file.bytes;
    pages += itsPages ?? 0;
    tokens += itsTokens;
    return itsTokens;
  }
}
