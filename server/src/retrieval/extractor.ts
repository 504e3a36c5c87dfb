// Reads the text of files in processes of their own, each killed when it takes too long or too much.
import type { ChildProcess } from 'node:child_process';
import {
  createWaitingWorker,
  endWorker,
  programBeside,
  sendOrder,
  startWorker,
} from '../platform/processes/child-worker.ts';
import { readResident } from '../platform/processes/process-usage.ts';
import { createSemaphore } from '../platform/semaphore.ts';
import type { WorkerMessage, WorkerOrder } from './extract-worker.ts';
import {
  OVERTIME,
  type Chunk,
  type ExtractOutcome,
  type Extractor,
  type FileToExtract,
  type WorkerTimes,
} from './extracted.ts';

export interface ExtractorOptions {
  /** Milliseconds of the processor for one file, and of the clock. */
  cpuMs?: number;
  clockMs?: number;
  /** Of a worker's JavaScript heap. */
  heapMb?: number;
  /** Of a worker in all, for bytes outside the heap. */
  memoryMb?: number;
  /** How many files are read at once; others wait. */
  atOnce?: number;
  /** How long a process waits for the next file before it is ended. */
  spareMs?: number;
  /** The worker's program; the one beside this module unless a test has another. */
  program?: URL;
  /** Bytes that a process holds; null where that is unknown. */
  readMemory?: (pid: number) => Promise<number | null>;
  /** Milliseconds between two looks at them. */
  lookMs?: number;
}

const MB = 1024 * 1024;
/** Two on a machine of two cores leave the server time; the queue of documents runs one. */
const AT_ONCE = 2;
const CPU_MS = 60_000;
const CLOCK_MS = 15 * 60_000;
const LOOK_MS = 250;
const SPARE_MS = 60_000;

/** How V8 ends a process that has no memory left, and how the system does. */
const OUT_OF_MEMORY: readonly (NodeJS.Signals | number | null)[] = ['SIGABRT', 'SIGTRAP', 'SIGILL', 'SIGKILL', 134];

/** Limits unless given: 60 s of the processor, 256 MB of heap, 1 GB in all. Each file has a process of its own. */
export function createExtractor(options: ExtractorOptions = {}): Extractor {
  const { atOnce = AT_ONCE, clockMs = CLOCK_MS, heapMb = 256, spareMs = SPARE_MS } = options;
  const { program = programBeside(import.meta.url, './extract-worker.ts') } = options;
  /** One that has read nothing yet, started ahead of the next file. */
  const spare = createWaitingWorker(spareMs);
  const closed = new AbortController();
  const inTurn = createSemaphore(atOnce);
  const running = new Set<Promise<unknown>>();

  function prepare(): void {
    if (closed.signal.aborted || spare.isThere()) return;
    const worker = startWorker(program, heapMb);
    sendOrder(worker, 'prepare' satisfies WorkerOrder);
    spare.put(worker);
  }

  function extract(file: FileToExtract, signal: AbortSignal, cpuMs = CPU_MS): Promise<ExtractOutcome> {
    const either = AbortSignal.any([signal, closed.signal]);
    const order = { file, cpuMs: Math.min(cpuMs, options.cpuMs ?? CPU_MS), clockMs };
    return inTurn(async () => {
      either.throwIfAborted();
      const reading = readIn(spare.take() ?? startWorker(program, heapMb), order, either, options);
      running.add(reading);
      try {
        return await reading;
      } finally {
        running.delete(reading);
        prepare();
      }
    }, either);
  }

  return {
    prepare,
    extract,
    async close() {
      closed.abort(new Error('The extractor is closed.'));
      await Promise.allSettled([...running, spare.end()]);
    },
  };
}

async function readIn(
  worker: ChildProcess,
  order: WorkerTimes & { file: FileToExtract },
  signal: AbortSignal,
  { memoryMb = 1024, readMemory = readResident, lookMs = LOOK_MS }: ExtractorOptions,
): Promise<ExtractOutcome> {
  const timers: NodeJS.Timeout[] = [];
  let stop: (() => void) | undefined;
  try {
    return await new Promise<ExtractOutcome>((resolve, reject) => {
      const end = (reason: 'timed_out' | 'out_of_memory') => resolve({ type: 'unreadable', reason });
      stop = () => reject(signal.reason as Error);
      signal.addEventListener('abort', stop);
      timers.push(setTimeout(() => end('timed_out'), order.clockMs));
      const look = async () => {
        const held = worker.pid === undefined ? null : await readMemory(worker.pid);
        if (held !== null && held > memoryMb * MB) end('out_of_memory');
      };
      timers.push(setInterval(() => void look(), lookMs));
      collect(worker, resolve, reject);
      sendOrder(worker, order satisfies WorkerOrder);
    });
  } finally {
    for (const timer of timers) clearTimeout(timer);
    if (stop) signal.removeEventListener('abort', stop);
    await endWorker(worker);
  }
}

/** Takes slice after slice, one a turn of the event loop. */
function collect(
  worker: ChildProcess,
  resolve: (outcome: ExtractOutcome) => void,
  reject: (error: Error) => void,
): void {
  const chunks: Chunk[] = [];
  worker.on('error', reject);
  worker.on('exit', (code, signal) => {
    if (signal === OVERTIME) resolve({ type: 'unreadable', reason: 'timed_out' });
    else if (OUT_OF_MEMORY.includes(signal ?? code)) resolve({ type: 'unreadable', reason: 'out_of_memory' });
    // Whatever it was, the next try would end like this one.
    else if (signal === 'SIGSEGV' || signal === 'SIGBUS') resolve({ type: 'unreadable', reason: 'damaged' });
    else reject(new Error(`The process that reads files ended by itself (${signal ?? code}).`));
  });
  worker.on('message', (message: WorkerMessage) => {
    switch (message.type) {
      case 'chunks':
        for (const chunk of message.chunks) chunks.push(chunk);
        sendOrder(worker, 'next' satisfies WorkerOrder);
        break;
      case 'done':
        resolve(textOf(message, chunks));
        break;
      case 'unreadable':
        resolve(message);
        break;
      case 'failed':
        reject(new Error(message.message));
    }
  });
}

function textOf(
  { pages, characters, encoding }: Extract<WorkerMessage, { type: 'done' }>,
  chunks: Chunk[],
): ExtractOutcome {
  return { type: 'text', pages, characters, chunks, ...(encoding !== undefined && { encoding }) };
}
