// PDF documents: the text layer of each page, what its forms, notes and links add, and the names of attachments. Runs no
// scripts, draws nothing, and loads nothing but the file and the tables of characters that its fonts name.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as PdfJs from 'pdfjs-dist';
import { annotationLines, withAddresses, type Annotation } from './pdf-annotations.ts';
import { linesOfPage, type TextRun } from './pdf-lines.ts';
import { readBytes } from '../read-bytes.ts';
import { Unreadable, type Extract, type Sink } from '../source.ts';

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
    await document.loadingTask.destroy();
  }
};

export async function loadPdfJs(): Promise<typeof PdfJs> {
  // Its oldest Node is 22.13; all but this, of what ours lacks, comes with it.
  if (!('withResolvers' in Promise)) await import('core-js/actual/promise/with-resolvers.js');
  // It would load its worker by the name of a file, which a bundle does not have.
  const pdfjsWorker = await import('pdfjs-dist/legacy/build/pdf.worker.min.mjs');
  Object.assign(globalThis, { pdfjsWorker });
  return import('pdfjs-dist/legacy/build/pdf.min.mjs');
}

async function openDocument(data: Uint8Array): Promise<PdfJs.PDFDocumentProxy> {
  const pdf = await loadPdfJs();
  const task = pdf.getDocument({
    data,
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
  const attached = await attachmentNames(document);
  if (attached.length > 0) sink.write({ page: pages, heading: null, text: `Attached: ${attached.join(', ')}` });
  return pages;
}

/** The names of the files inside; none where their list is damaged. */
async function attachmentNames(document: PdfJs.PDFDocumentProxy): Promise<string[]> {
  try {
    const attachments: unknown = await document.getAttachments();
    const all: unknown[] = attachments instanceof Map ? [...attachments.values()] : Object.values(attachments ?? {});
    return all.flatMap((one) => {
      const name = typeof one === 'object' && one !== null && 'filename' in one ? one.filename : null;
      return typeof name === 'string' && name.trim() !== '' ? [name.trim()] : [];
    });
  } catch {
    return [];
  }
}

/** Null for a page that is damaged: the others may still be read. */
async function readPage(document: PdfJs.PDFDocumentProxy, number: number): Promise<string | null> {
  try {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    const annotations = await annotationsOf(page);
    page.cleanup();
    const own = items.filter((item): item is (typeof items)[number] & TextRun => 'str' in item);
    const { runs, others } = withAddresses(own, annotations);
    const beside = [...annotationLines(annotations), ...others].join('\n');
    return [linesOfPage(runs), beside].filter((text) => text !== '').join('\n\n');
  } catch {
    return null;
  }
}

/** None where they are damaged: the text of the page can be read all the same. */
async function annotationsOf(page: PdfJs.PDFPageProxy): Promise<readonly Annotation[]> {
  try {
    return await page.getAnnotations();
  } catch {
    return [];
  }
}

/** Names as Adobe gives them: nothing else is read, whatever a file asks for. */
const NAME = /^[\w-]+\.bcmap$/;

/**
 * What pdf.js asks for the tables of its own that say which characters the codes of Chinese, Japanese and Korean fonts
 * are: such fonts often name a table of Adobe's instead of bringing one. It knows no other way to them here.
 */
class CharacterMaps {
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    if (kind !== 'cMapUrl' || !NAME.test(filename)) throw new Error(`There is no ${kind} ${filename}.`);
    // pdf.js takes the memory over; small files come from a pool that others share.
    return new Uint8Array(await readFile(join(characterMapsFor(import.meta.url), filename)));
  }
}

/** The folder of the tables: the package's in the sources; in a build a copy stands with the worker's program. */
function characterMapsFor(module: string): string {
  if (module.endsWith('.ts')) return join(dirname(createRequire(module).resolve('pdfjs-dist/package.json')), 'cmaps');
  return fileURLToPath(new URL(module.includes('/chunks/') ? '../cmaps' : './cmaps', module));
}
