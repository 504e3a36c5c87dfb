import type { Citation, Message } from '@parley/schema/messages/messages';
import { citationMarkAt } from '../../content/citation-marks/tag-citation-marks.ts';

/** A file that an answer cites, and its passages in the order in which the answer cites them. */
export interface Source {
  fileId: string;
  name: string;
  /** Rising, each once. */
  pages: number[];
  passages: { mark: string; citation: Citation }[];
}

/** The files that the marks of an answer stand for, in the order of their first mark. */
export function listSources({ parts }: Pick<Message, 'parts'>): Source[] {
  const sources = new Map<string, Source>();
  for (const part of parts) {
    if (part.type !== 'text') continue;
    for (const citation of part.citations ?? []) {
      const { fileId, name, page, n, at } = citation;
      const mark = citationMarkAt(part.text, at);
      if (mark === null) continue;
      const source = sources.get(fileId) ?? { fileId, name, pages: [], passages: [] };
      sources.set(fileId, source);
      if (source.passages.some((known) => known.citation.n === n && known.mark === mark)) continue;
      source.passages.push({ mark, citation });
      if (page !== null) source.pages = [...new Set([...source.pages, page])].sort((a, b) => a - b);
    }
  }
  return [...sources.values()];
}
