// The process that reads one file: an order names it, chunks go out in slices, each when it is asked for.
import { Worker } from 'node:worker_threads';
import { createChunker } from './chunk.ts';
import { extractText, loadSlowest } from './extract/extract.ts';
import { Unreadable } from './extract/source.ts';
import type { Chunk, FileToExtract, UnreadableReason } from './extracted.ts';

/** Its orders: to prepare if it has to wait, then the file, then after each slice that the next may come. */
export type WorkerOrder = 'prepare' | FileOrder | 'next';

interface FileOrder {
  file: FileToExtract;
  timeoutMs: number;
}

export type WorkerMessage =
  | { type: 'chunks'; chunks: Chunk[] }
  | { type: 'done'; pages: number | null; characters: number }
  | { type: 'unreadable'; reason: UnreadableReason }
  | { type: 'failed'; message: string };

/** About 150 kB: what the server takes over at once. */
const SLICE = 100;

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
  endAfter(order.timeoutMs);
  void run(order.file);
}

/**
 * Ends this process even while a parser keeps its thread busy and the server, which would kill it, is gone.
 * @param ms what the server allows
 */
function endAfter(ms: number): void {
  const script = `setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${ms + 10_000})`;
  new Worker(script, { eval: true, execArgv: [] }).unref();
}

async function run(file: FileToExtract): Promise<void> {
  try {
    const chunker = createChunker();
    const pages = await extractText(file, chunker);
    const { chunks, characters } = chunker.finish();
    if (!chunks.some(({ body }) => /[\p{L}\p{N}]/u.test(body))) throw new Unreadable('no_text');
    for (let at = 0; at < chunks.length; at += SLICE) {
      const asked = new Promise((resolve) => process.once('message', resolve));
      post({ type: 'chunks', chunks: chunks.slice(at, at + SLICE) });
      await asked;
    }
    post({ type: 'done', pages, characters });
  } catch (error) {
    post(failureOf(error));
  }
}

function failureOf(error: unknown): WorkerMessage {
  if (error instanceof Unreadable) return { type: 'unreadable', reason: error.reason };
  // Errors of the disk name the call to the system that failed; every other is a parser's about the file.
  if (error instanceof Error && 'syscall' in error) return { type: 'failed', message: error.message };
  return { type: 'unreadable', reason: 'damaged' };
}

function post(message: WorkerMessage): void {
  process.send?.(message);
}
