// PDF documents: the text layer of each page. Runs no scripts, draws nothing, loads nothing but the file
// and the tables of characters that its fonts name.
import type * as PdfJs from 'unpdf/pdfjs';
import { CharacterMaps } from './character-maps.ts';
import { linesOfPage, type TextRun } from './pdf-lines.ts';
import { readBytes } from './read-bytes.ts';
import { Unreadable, type Extract, type Sink } from './source.ts';

/** The whole file is in memory while it is read. */
const BYTES_MAX = 256 * 1024 * 1024;
/** More than a file of the largest upload holds of real pages. */
const PAGES_MAX = 20_000;
/** After this many pages in a row that cannot be read, the rest are not worth trying. */
const FAILURES_MAX = 50;

export const extractPdf: Extract = async (path, sink) => {
  const document = await openDocument(await readBytes(path, BYTES_MAX));
  try {
    return await readPages(document, sink);
  } finally {
    await document.destroy();
  }
};

export async function loadPdfJs(): Promise<typeof PdfJs> {
  const { getResolvedPDFJS } = await import('unpdf');
  return getResolvedPDFJS() as Promise<typeof PdfJs>;
}

async function openDocument(data: Uint8Array): Promise<PdfJs.PDFDocumentProxy> {
  const pdf = await loadPdfJs();
  const task = pdf.getDocument({
    data,
    isEvalSupported: false,
    enableXfa: false,
    useWorkerFetch: false,
    BinaryDataFactory: CharacterMaps,
    cMapPacked: true,
    useWasm: false,
    useSystemFonts: false,
    disableFontFace: true,
    verbosity: pdf.VerbosityLevel.ERRORS,
  });
  try {
    return await task.promise;
  } catch (error) {
    await task.destroy();
    throw new Unreadable(error instanceof Error && error.name === 'PasswordException' ? 'encrypted' : 'damaged');
  }
}

async function readPages(document: PdfJs.PDFDocumentProxy, sink: Sink): Promise<number> {
  const pages = document.numPages;
  if (pages < 1) throw new Unreadable('damaged');
  if (pages > PAGES_MAX) throw new Unreadable('too_large');
  let failures = 0;
  for (let number = 1; number <= pages; number++) {
    const text = await readPage(document, number);
    failures = text === null ? failures + 1 : 0;
    if (failures === Math.min(pages, FAILURES_MAX)) throw new Unreadable('damaged');
    if (text) sink.write({ page: number, heading: null, text });
  }
  return pages;
}

/** Null for a page that is damaged: the others may still be read. */
async function readPage(document: PdfJs.PDFDocumentProxy, number: number): Promise<string | null> {
  try {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    page.cleanup();
    return linesOfPage(items.filter((item): item is (typeof items)[number] & TextRun => 'str' in item));
  } catch {
    return null;
  }
}
