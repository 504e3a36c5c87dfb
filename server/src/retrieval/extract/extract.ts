// Which extractor reads which type.
import { isExtractable, isTextType } from '@parley/schema/files/file-types';
import { Unreadable, type Extract, type Sink } from './source.ts';

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const OPEN = 'application/vnd.oasis.opendocument';

/** Loaded when they are first used: a worker reads one file, and the libraries are large. */
const EXTRACTORS: Readonly<Record<string, () => Promise<Extract>>> = {
  'application/pdf': async () => (await import('./pdf/pdf.ts')).extractPdf,
  [`${OFFICE}.wordprocessingml.document`]: async () => (await import('./office/docx.ts')).extractDocx,
  [`${OFFICE}.spreadsheetml.sheet`]: async () => (await import('./office/xlsx.ts')).extractXlsx,
  [`${OFFICE}.presentationml.presentation`]: async () => (await import('./office/pptx.ts')).extractPptx,
  'application/epub+zip': async () => (await import('./epub.ts')).extractEpub,
  [`${OPEN}.text`]: async () => (await import('./open-document/odt.ts')).extractOdt,
  [`${OPEN}.spreadsheet`]: async () => (await import('./open-document/ods.ts')).extractOds,
  [`${OPEN}.presentation`]: async () => (await import('./open-document/odp.ts')).extractOdp,
  'application/rtf': async () => (await import('./older/rtf.ts')).extractRtf,
  'application/msword': async () => (await import('./older/doc.ts')).extractDoc,
  'application/vnd.ms-excel': async () => (await import('./older/xls.ts')).extractXls,
  'application/vnd.ms-outlook': async () => (await import('./older/msg.ts')).extractMsg,
  'application/x-ipynb+json': async () => (await import('./notebook.ts')).extractNotebook,
  'message/rfc822': async () => (await import('./eml.ts')).extractEml,
  'application/mbox': async () => (await import('./mbox.ts')).extractMbox,
  'text/calendar': async () => (await import('./cards.ts')).extractCards,
  'text/vcard': async () => (await import('./cards.ts')).extractCards,
  'text/html': async () => (await import('./html.ts')).extractHtml,
  'text/markdown': async () => (await import('./plain.ts')).extractMarkdown,
  'text/csv': async () => (await import('./plain.ts')).extractCsv,
  'application/csv': async () => (await import('./plain.ts')).extractCsv,
};

/** Loads ahead the library that takes longest, which most documents need. */
export async function loadSlowest(): Promise<void> {
  await (await import('./pdf/pdf.ts')).loadPdfJs();
}

/** @throws `Unreadable`, 'unsupported' among them; other errors, but those of the disk, mean damage */
export async function extractText(file: { path: string; mime: string }, sink: Sink): Promise<number | null> {
  if (!isExtractable(file.mime)) throw new Unreadable('unsupported');
  const load = EXTRACTORS[file.mime];
  if (!load && !isTextType(file.mime)) throw new Unreadable('unsupported');
  const extract = load ? await load() : (await import('./plain.ts')).extractPlain;
  return extract(file.path, sink);
}
