// Reads the text of one file in a process of its own, as a program would that does nothing else.
import { createChunker } from '@parley/server/retrieval/chunk';
import { extractText, loadSlowest } from '@parley/server/retrieval/extract/extract';
import { serveHelper } from '../child-process.ts';

const calls = {
  /** Loads the library, so that only reading is measured. */
  load: loadSlowest,
  /** Returns how many pages the file has. */
  async extract(path: string, mime: string): Promise<number | null> {
    const chunker = createChunker();
    const pages = await extractText({ path, mime }, chunker);
    chunker.finish();
    return pages;
  },
};
export type BareExtractCalls = typeof calls;
serveHelper(calls);
