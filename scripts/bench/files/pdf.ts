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
import { makeTextPdf } from './text-pdf.ts';

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
