// Reads a PDF of the web as files are read: in a process of its own, page by page.
import type { Config } from '../../config.ts';
import type { Chunk, ExtractOutcome, Extractor, UnreadableReason } from '../../retrieval/extracted.ts';
import { receive, withArrival } from '../../storage/arrivals.ts';
import { ServiceFailure } from '../call-service.ts';

/** @throws the reason of `signal` when it aborts, and errors of the disk; a bad file is an outcome, not an error */
export type PdfReader = (bytes: Uint8Array, signal: AbortSignal) => Promise<ExtractOutcome>;

/** Of the processor: a person waits for the page, and the server has files to read. */
const CPU_MS = 15_000;

const WHY_UNREADABLE: Readonly<Record<UnreadableReason, string>> = {
  unsupported: 'its bytes are no PDF',
  no_text: 'it has pictures of pages, and no text',
  encrypted: 'it is locked with a password',
  damaged: 'it is damaged',
  too_large: 'it is too large',
  timed_out: 'reading it takes too long',
  out_of_memory: 'reading it takes too much memory',
};

export function createPdfReader(config: Pick<Config, 'server'>, extractor: Extractor): PdfReader {
  return (bytes, signal) =>
    withArrival(config, async (path) => {
      await receive([bytes], path);
      return extractor.extract({ path, mime: 'application/pdf', name: 'page.pdf' }, signal, CPU_MS);
    });
}

/** Whether the page is a PDF by its media type, or by its name where the type says nothing. */
export function isPdf(type: string, url: string): boolean {
  if (/^application\/octet-stream\b/.test(type)) return new URL(url).pathname.toLowerCase().endsWith('.pdf');
  return /^application\/(x-)?pdf\b/.test(type);
}

/** The text of the PDF at `url`. @throws ServiceFailure that says why it has none */
export async function readPdfChunks(
  readPdf: PdfReader,
  url: string,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<Chunk[]> {
  const outcome = await readPdf(bytes, signal);
  if (outcome.type === 'text') return outcome.chunks;
  throw new ServiceFailure(`The PDF at ${url} cannot be read: ${WHY_UNREADABLE[outcome.reason]}.`);
}
