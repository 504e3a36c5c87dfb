// How long it takes until a long PDF can be searched, beside its bare extraction.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '@parley/db/client';
import { createExtractor, type ExtractorOptions } from '@parley/server/retrieval/extractor';
import { startHelper } from '../child-process.ts';
import type { Figure } from '../figures.ts';
import type { BareExtractCalls } from './bare-extract.ts';
import { compare, note, pairs, timed } from './compare.ts';
import { sendFile, type Sender } from './post-file.ts';

interface Options {
  db: Db;
  sender: Sender;
  folder: string;
  pages: number;
  rounds: number;
}

const PDF = 'application/pdf';
const BUILT: ExtractorOptions = { program: new URL('../../../server/dist/extract-worker.js', import.meta.url) };

/**
 * Beside the extraction in a process that has loaded the library and read nothing yet: the same by the built worker,
 * alone with the start of its process, after a second in which that could start, and after another file; and all of it,
 * from the upload until the words are in the index.
 */
export async function measurePdf(options: Options): Promise<Figure[]> {
  const { folder, pages, rounds } = options;
  const file = { path: join(folder, 'book.pdf'), mime: PDF, name: 'book.pdf' };
  await writeFile(file.path, makeTextPdf(pages));
  const [first, prepared, next, searchable] = [pairs(), pairs(), pairs(), pairs()];
  for (let round = 0; round <= rounds; round++) {
    const bare = await extractBare(file.path, pages);
    const [alone, another] = [createExtractor(BUILT), createExtractor(BUILT)];
    const extractBy = (extractor: typeof alone) =>
      timed(async () => {
        const outcome = await extractor.extract(file, new AbortController().signal);
        if (outcome.type !== 'text' || outcome.pages !== pages) throw new Error('The PDF was not read');
      });
    const cold = await extractBy(alone);
    await sleep(1000);
    const warm = await extractBy(alone);
    await alone.close();
    another.prepare();
    await sleep(1000);
    const ready = await extractBy(another);
    await another.close();
    const whole = await timed(() => uploadUntilSearchable(options, round));
    if (round === 0) continue;
    note(first, { bare, parley: cold });
    note(prepared, { bare, parley: ready });
    note(next, { bare, parley: warm });
    note(searchable, { bare, parley: whole });
  }
  return [
    compare(`text of a PDF of ${pages} pages, median`, first, { atMost: 1.5 }),
    compare('the same after an upload of a second', prepared, { atMost: 1.5 }),
    compare('the same of one that follows', next, { atMost: 1.5 }),
    compare('all of it, from the upload until it can be searched', searchable),
  ];
}

async function extractBare(path: string, pages: number): Promise<number> {
  const helper = startHelper<BareExtractCalls>('./files/bare-extract.ts');
  try {
    await helper.load();
    return await timed(async () => {
      if ((await helper.extract(path, PDF)) !== pages) throw new Error('The PDF was not read');
    });
  } finally {
    await helper.end();
  }
}

async function uploadUntilSearchable({ db, sender, pages }: Options, round: number): Promise<void> {
  // The same bytes again would be the same document.
  const bytes = `${makeTextPdf(pages)}% ${round}\n`;
  const id = await sendFile(sender, new File([bytes], 'book.pdf', { type: PDF }));
  for (;;) {
    const [document] = await db.sql<{ state: string }[]>`select state from documents where file_id = ${id}`;
    if (document?.state === 'ready') return;
    if (document?.state === 'failed') throw new Error('The PDF was not read');
    await sleep(10);
  }
}

/** A PDF of so many pages with 40 lines of text each, written by hand. */
function makeTextPdf(pages: number): string {
  const kids = Array.from({ length: pages }, (_, at) => `${4 + at * 2} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  for (let at = 0; at < pages; at++) {
    const text = linesOf(at + 1);
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents ${5 + at * 2} 0 R /Resources << /Font << /F 3 0 R >> >> >>`,
      `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    );
  }
  let pdf = '%PDF-1.7\n';
  const offsets: number[] = [];
  for (const [index, body] of objects.entries()) {
    offsets.push(pdf.length);
    pdf += `${index + 1} 0 obj\n${body}\nendobj\n`;
  }
  const start = pdf.length;
  pdf += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  for (const offset of offsets) pdf += `${String(offset).padStart(10, '0')} 00000 n \n`;
  return `${pdf}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
}

function linesOf(page: number): string {
  return Array.from({ length: 40 }, (_, n) => {
    const text = `Page ${page}: line ${n} tells of rivers, weather and the people of valley ${(page * 31 + n) % 97}.`;
    return `BT /F 12 Tf 50 ${760 - n * 18} Td (${text}) Tj ET`;
  }).join('\n');
}
