// Which attached PDFs a model is sent as files, with their images and layout, in place of their text.
import type { PdfRule } from '@parley/schema/catalog/pdf';
import type { FilePart } from '@parley/schema/messages/messages';
import type { DocumentRow } from '../../../retrieval/documents.ts';
import type { FileRules } from '../context-limits.ts';

/** Of a PDF whose pages are not known, such as one that the index could not read. */
const BYTES_PER_TOKEN = 40;

/**
 * Decides file by file, the newest first, as long as all of them fit the rule and their tokens. Returns a file's
 * tokens, or null where its text is shown. The same file again gets the same reply and counts once.
 */
export function createPdfChooser({ pdf, scans, pdfTokensMax }: Omit<FileRules, 'tokensMax'>) {
  const known = new Map<string, number | null>();
  let [bytes, pages, tokens] = [0, 0, 0];
  return (file: FilePart, document: Pick<DocumentRow, 'pages' | 'reason'> | undefined): number | null => {
    const before = known.get(file.fileId);
    if (before !== undefined) return before;
    const chosen = choose(file, ruleFor(document), document?.pages ?? null);
    known.set(file.fileId, chosen);
    return chosen;
  };

  /** A provider may refuse the whole request because of one that it cannot open. */
  function ruleFor(document: Pick<DocumentRow, 'reason'> | undefined): PdfRule | null {
    if (document?.reason === 'damaged' || document?.reason === 'encrypted') return null;
    return document?.reason === 'no_text' ? scans : pdf;
  }

  function choose(file: FilePart, rule: PdfRule | null, itsPages: number | null): number | null {
    if (!rule || file.mime !== 'application/pdf') return null;
    const itsTokens = itsPages === null ? Math.ceil(file.bytes / BYTES_PER_TOKEN) : itsPages * rule.tokensPerPage;
    const fits =
      bytes + file.bytes <= rule.bytesMax &&
      pages + (itsPages ?? 0) <= rule.pagesMax &&
      tokens + itsTokens <= pdfTokensMax;
    if (!fits) return null;
    bytes += file.bytes;
    pages += itsPages ?? 0;
    tokens += itsTokens;
    return itsTokens;
  }
}
