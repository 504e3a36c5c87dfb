// How many tokens the attached files of a branch would take, without reading them: for previews and prices.
import { isTextType } from '@parley/schema/files/file-types';
import type { FilePart } from '@parley/schema/messages/messages';
import type { Query } from '@parley/db/client';
import type { DocumentRow } from '../../../retrieval/documents.ts';
import type { FileView, ShownText } from './attachments.ts';
import { createPdfChooser } from './choose-pdfs.ts';
import { contextLimitsOf, fileRules, type ContextLimits, type FileRules } from '../context-limits.ts';
import { isLent, isSearchable, type FileReading, type LentFiles } from './file-reading.ts';
import { assistantLentFiles } from './find-lent.ts';
import type { Ask } from '../../begin/ask.ts';
import { readShownDocuments, fileLine, namedOnly, PASSAGE_TOKENS } from './files-shown.ts';

const BYTES_PER_TOKEN = 4;
/** Of a file that is no plain text, such as a PDF with its fonts and images. */
const DOCUMENT_BYTES_PER_TOKEN = 40;

type Asked = Pick<Ask, 'userId' | 'endpoint' | 'model' | 'settings' | 'metadata' | 'assistant'>;

/** The limits of an ask whose files are estimated. `lent` has those of its folder that are another person's. */
export function estimatedLimits(query: Query, asked: Asked, lent: readonly LentFiles[]): ContextLimits {
  const limits = contextLimitsOf(asked.endpoint, asked.model, asked.settings, asked.metadata);
  const reading = { query, userId: asked.userId, lent: [...assistantLentFiles(asked.assistant), ...lent] };
  const files = estimateFiles(reading, fileRules(limits, asked, asked.settings));
  return { ...limits, attachments: { ...limits.attachments, files } };
}

/** A file that is asked for again has the same price. */
function estimateFiles(
  reading: Pick<FileReading, 'query' | 'userId' | 'lent'>,
  { tokensMax, ...rules }: FileRules,
): FileView {
  const tokensAsPdf = createPdfChooser(rules);
  const known = new Map<string, Promise<ShownText>>();
  let left = tokensMax;
  let passagesLeft: number | null = null;
  return { show, passages: '' };

  function show(file: FilePart): Promise<ShownText> {
    const shown = known.get(file.fileId) ?? price(file);
    known.set(file.fileId, shown);
    return shown;
  }

  async function price(file: FilePart): Promise<ShownText> {
    const document = (await readShownDocuments(reading, [file])).get(file.fileId);
    const isOthers = isLent(reading.lent, file);
    const asPdf = isOthers ? null : tokensAsPdf(file, document);
    if (asPdf !== null) return { tokens: asPdf, file };
    const why = document?.state === 'failed' ? namedOnly(file, document) : null;
    if (why) return { text: fileLine({ fileId: file.fileId, name: file.name, shown: 'name', why }) };
    const tokens = tokensOf(file, document);
    if (tokens <= left && !isOthers) {
      left -= tokens;
      return { tokens };
    }
    passagesLeft ??= Math.min(PASSAGE_TOKENS, left);
    const found = Math.min(tokens, passagesLeft);
    passagesLeft -= found;
    return { tokens: found };
  }

  function tokensOf({ mime, bytes }: FilePart, document: DocumentRow | undefined): number {
    if (document && isSearchable(document)) return document.tokens;
    return Math.ceil(bytes / (isTextType(mime) ? BYTES_PER_TOKEN : DOCUMENT_BYTES_PER_TOKEN));
  }
}
