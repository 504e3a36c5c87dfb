// Reads the bytes of a PDF as uploaded files are read: in a process of its own, page by page.
import type { ExtractOutcome, Extractor } from '../retrieval/extracted.ts';
import { receive, withArrival, type DataFolder } from '../storage/arrivals.ts';

/** @throws the reason of `signal` when it aborts, and errors of the disk; a bad file is an outcome, not an error */
export type PdfReader = (bytes: Uint8Array, signal: AbortSignal) => Promise<ExtractOutcome>;

/** Of the processor: a person waits for the page, and the server has files to read. */
const CPU_MS = 15_000;

export function createPdfReader(config: DataFolder, extractor: Extractor): PdfReader {
  return (bytes, signal) =>
    withArrival(config, async (path) => {
      await receive([bytes], path);
      return extractor.extract({ path, mime: 'application/pdf', name: 'page.pdf' }, signal, CPU_MS);
    });
}
