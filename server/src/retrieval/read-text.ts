// The text of a file for those who read it: its chunks, joined to sections.
import type { Query } from '@parley/db/client';
import { chunks, documents } from '@parley/db/tables/documents';
import { files } from '@parley/db/tables/files';
import type { FileText, Passage, TextSection } from '@parley/schema/files/documents';
import { and, asc, eq, gte } from 'drizzle-orm';
import { refuse } from '../platform/errors.ts';
import { passageColumns, documentStatus } from './documents.ts';
import { RAG_MODEL } from './leases.ts';
import { joinTexts } from './passages.ts';

/** Chunks of a part: about 800 kB of text. */
const PART_CHUNKS = 500;

/**
 * A part of the text of a user's file, from the chunk at `from`.
 * @throws Refusal `not_found` for another user's file as well
 */
export async function readText(query: Query, userId: string, fileId: string, from: number): Promise<FileText> {
  const [file] = await query
    .select({ mime: files.mime, document: documents })
    .from(files)
    .leftJoin(documents, and(eq(documents.userId, files.userId), eq(documents.fileId, files.id)))
    .where(and(eq(files.userId, userId), eq(files.id, fileId)));
  if (!file) return refuse({ type: 'not_found', what: 'file' });
  // The chunk before tells what the first one repeats of it, and the chunk behind whether there are more.
  const found: Passage[] = await query
    .select(passageColumns)
    .from(chunks)
    .where(and(eq(chunks.userId, userId), eq(chunks.fileId, fileId), gte(chunks.n, from - 1)))
    .orderBy(asc(chunks.n))
    .limit(PART_CHUNKS + 2);
  const part = found.filter(({ n }) => n >= from).slice(0, PART_CHUNKS);
  const before = found.find(({ n }) => n < from) ?? null;
  const last = part.at(-1)?.n ?? from;
  return {
    document: file.document && documentStatus(file.document),
    isWhole: file.document?.model !== RAG_MODEL,
    sections: joinSections(part, before, hasRows(file.mime)),
    next: found.some(({ n }) => n > last) ? last + 1 : null,
  };
}

/** Whether the chunks of such a file are rows below the names of their columns. */
function hasRows(mime: string): boolean {
  return /spreadsheet|excel|xls|csv|tab-separated/.test(mime);
}

/** @param before the chunk before the first one, if it is known */
export function joinSections(passages: readonly Passage[], before: Passage | null, areRows: boolean): TextSection[] {
  const sections: TextSection[] = [];
  let previous = before;
  for (const passage of passages) {
    const isSame =
      previous?.n === passage.n - 1 && previous.page === passage.page && previous.heading === passage.heading;
    const { columns, text } = areRows
      ? rowsOf(passage, isSame ? previous : null)
      : { columns: null, text: passage.text };
    const last = sections.at(-1);
    if (isSame && last?.columns === columns) {
      last.text = areRows ? `${last.text}\n${text}` : joinTexts(last.text, text);
      last.to = passage.n;
    } else {
      const repeats =
        isSame && !areRows && previous ? joinTexts(previous.text, text).slice(previous.text.length) : text;
      const { n, page, heading } = passage;
      sections.push({ from: n, to: n, page, heading, columns, text: repeats });
    }
    previous = passage;
  }
  return sections;
}

/** Every chunk of a table begins with the names of its columns. */
function rowsOf({ text }: Passage, previous: Passage | null): { columns: string | null; text: string } {
  const [names = '', ...rows] = text.split('\n');
  const hasNames = previous === null || previous.text.split('\n', 1)[0] === names;
  return hasNames ? { columns: names, text: rows.join('\n') } : { columns: null, text };
}
