// The process that reads one file: an order names it, chunks go out in slices, each when it is asked for.
import { Worker } from 'node:worker_threads';
import { createChunker } from './chunk.ts';
import { extractText, loadSlowest } from './extract/extract.ts';
import { ZipFault } from '../platform/zip/read-zip.ts';
import { Unreadable } from './extract/source.ts';
import { OVERTIME, type Chunk, type FileToExtract, type UnreadableReason, type WorkerTimes } from './extracted.ts';

/** Its orders: to prepare if it has to wait, then the file, then after each slice that the next may come. */
export type WorkerOrder = 'prepare' | FileOrder | 'next';

interface FileOrder extends WorkerTimes {
  file: FileToExtract;
}

export type WorkerMessage =
  | { type: 'chunks'; chunks: Chunk[] }
  | { type: 'done'; pages: number | null; characters: number; encoding?: string }
  | { type: 'unreadable'; reason: UnreadableReason; pages?: number }
  | { type: 'failed'; message: string };

/** About 150 kB: what the server takes over at once. */
const SLICE_CHUNKS = 100;

// Nothing in a file may reach out: libraries find no network here.
Object.assign(globalThis, { fetch: undefined, WebSocket: undefined, XMLHttpRequest: undefined });

process.once('disconnect', () => process.exit());
process.once('message', begin);

function begin(order: 'prepare' | FileOrder): void {
  if (order === 'prepare') {
    process.once('message', begin);
    // A library that cannot be loaded fails again, and is reported, with the file that needs it.
    loadSlowest().catch(() => {});
    return;
  }
  endAfter(order);
  void run(order.file);
}

/**
 * Ends this process even while a parser keeps its thread busy: `OVERTIME` when it has used its time of the processor,
 * and permanently when the server, which would kill it by the clock, is gone.
 */
function endAfter({ cpuMs, clockMs }: WorkerTimes): void {
  const script = `
    const begun = process.cpuUsage();
    setInterval(() => {
      const { user, system } = process.cpuUsage(begun);
      if ((user + system) / 1000 > ${cpuMs}) process.kill(process.pid, '${OVERTIME}');
    }, 50);
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${clockMs + 10_000});`;
  new Worker(script, { eval: true, execArgv: [] }).unref();
}

async function run(file: FileToExtract): Promise<void> {
  try {
    const chunker = createChunker();
    let encoding: string | undefined;
    const pages = await extractText(file, { write: chunker.write, onGuess: (guessed) => void (encoding = guessed) });
    const { chunks, characters } = chunker.finish();
    if (!chunks.some(({ body }) => /[\p{L}\p{N}]/u.test(body)))
      return post({ type: 'unreadable', reason: 'no_text', ...(pages !== null && { pages }) });
    for (let at = 0; at < chunks.length; at += SLICE_CHUNKS) {
      const asked = new Promise((resolve) => process.once('message', resolve));
      post({ type: 'chunks', chunks: chunks.slice(at, at + SLICE_CHUNKS) });
      await asked;
    }
    post({ type: 'done', pages, characters, ...(encoding !== undefined && { encoding }) });
  } catch (error) {
    post(failureOf(error));
  }
}

function failureOf(error: unknown): WorkerMessage {
  if (error instanceof Unreadable || error instanceof ZipFault) return { type: 'unreadable', reason: error.reason };
  // Errors of the disk name the call to the system that failed; every other is a parser's about the file.
  if (error instanceof Error && 'syscall' in error) return { type: 'failed', message: error.message };
  return { type: 'unreadable', reason: 'damaged' };
}

function post(message: WorkerMessage): void {
  process.send?.(message);
}
