// The library that reads PDFs. Its parts come from this server alone: the program that runs in a worker, the tables of
// characters, the fonts that every PDF may use without bringing them, and decoders of scanned pages.
import type * as PdfJs from 'pdfjs-dist';
import { requestHeaders, session } from '../../session/current-session.ts';

/** A build for the browsers that we support, which brings what the newest ones have built in. */
type Library = typeof PdfJs;

/** Fetched at once where the server is asked for pieces. */
const PIECE_BYTES = 512 * 1024;

let loading: Promise<Library> | null = null;

/** After a failure the next call tries again. */
export function loadPdfJs(): Promise<Library> {
  loading ??= importPdfJs().catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

async function importPdfJs(): Promise<Library> {
  const pdf: Library = await import('pdfjs-dist/legacy/build/pdf.mjs');
  pdf.GlobalWorkerOptions.workerSrc = `${pdfFolder(pdf)}worker.js`;
  return pdf;
}

/** The build puts the parts there, by their version, so that they can be kept for ever. */
export function pdfFolder({ version }: Library): string {
  return `/pdf/${version}/`;
}

/** How much of a file is fetched: `whole` while it is read, or only what is needed, piece by piece. */
export type Extent = 'whole' | 'pieces';

/** Opens a PDF of this server. Without `destroy` it stays in memory. */
export async function openPdf(path: string, extent: Extent): Promise<PdfJs.PDFDocumentLoadingTask> {
  const pdf = await loadPdfJs();
  const folder = new URL(pdfFolder(pdf), document.baseURI).href;
  return pdf.getDocument({
    url: path,
    httpHeaders: requestHeaders(await session.freshToken()),
    rangeChunkSize: PIECE_BYTES,
    disableStream: extent === 'pieces',
    disableAutoFetch: extent === 'pieces',
    cMapUrl: `${folder}cmaps/`,
    cMapPacked: true,
    standardFontDataUrl: `${folder}fonts/`,
    wasmUrl: `${folder}wasm/`,
    iccUrl: `${folder}iccs/`,
    useWorkerFetch: true,
    enableXfa: false,
    verbosity: pdf.VerbosityLevel.ERRORS,
  });
}
