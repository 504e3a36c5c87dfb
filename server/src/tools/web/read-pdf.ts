// Tells which pages of the web are PDFs, and why one has no text.
import type { PdfReader } from '../../files/pdf-reader.ts';
import type { Chunk, UnreadableReason } from '../../retrieval/extracted.ts';
import { ServiceFailure } from '../call-service.ts';

const WHY_UNREADABLE: Readonly<Record<UnreadableReason, string>> = {
  unsupported: 'its bytes are no PDF',
  no_text: 'it has pictures of pages, and no text',
  encrypted: 'it is locked with a password',
  damaged: 'it is damaged',
  too_large: 'it is too large',
  timed_out: 'reading it takes too long',
  out_of_memory: 'reading it takes too much memory',
};

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
