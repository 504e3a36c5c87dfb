// Reads OpenAPI documents of people in processes apart from the server: ten megabytes keep a parser busy for seconds, and
// a hostile document for as long as it is let.
import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createFairQueue } from '../../platform/semaphore.ts';
import type { SpecAnswer, SpecOrder } from './spec-order.ts';

const TIMEOUT_MS = 60_000;
/** YAML of ten megabytes takes some 600 MB. */
const HEAP_MB = 1024;
const SMALL_HEAP_MB = 256;
/** In characters. */
const SMALL = 1024 * 1024;
const AT_ONCE = 2;
/** How long a process waits for the next small document of its person: the editor sends one at each pause in typing. */
const IDLE_MS = 15_000;

interface Idle {
  /** Whose documents it has read. It reads nobody else's. */
  key: string;
  worker: ChildProcess;
  timer: NodeJS.Timeout;
}

const inTurn = createFairQueue(AT_ONCE);
let idle: Idle | null = null;

/**
 * What the process makes of a text; null when that takes too long or too much memory.
 * @param key whose text it is: people take turns, and no process reads the texts of two
 * @param program the worker's; the one beside this module unless a test has another
 */
export function askSpecProcess(
  key: string,
  order: SpecOrder,
  program: URL = workerBeside(import.meta.url),
): Promise<SpecAnswer | null> {
  return inTurn(key, () => askWorker(key, order, program));
}

async function askWorker(key: string, order: SpecOrder, program: URL): Promise<SpecAnswer | null> {
  const isSmall = order.text.length <= SMALL;
  const worker = (isSmall && takeIdle(key)) || startWorker(program, isSmall ? SMALL_HEAP_MB : HEAP_MB);
  let timer: NodeJS.Timeout | undefined;
  let answer: SpecAnswer | null = null;
  try {
    answer = await new Promise((resolve) => {
      timer = setTimeout(() => resolve(null), TIMEOUT_MS);
      worker.once('message', (told: SpecAnswer) => resolve(told));
      worker.once('error', () => resolve(null));
      worker.once('exit', () => resolve(null));
      worker.send(order, () => {});
    });
    return answer;
  } finally {
    clearTimeout(timer);
    worker.removeAllListeners();
    // Killing a process that is gone may report an error.
    worker.on('error', () => {});
    if (answer !== null && isSmall) wait(key, worker);
    else worker.kill('SIGKILL');
  }
}

/** One process waits at most, and does not hold up the end of the server. */
function wait(key: string, worker: ChildProcess): void {
  endIdle();
  const timer = setTimeout(endIdle, IDLE_MS).unref();
  worker.once('exit', () => idle?.worker === worker && endIdle());
  worker.unref();
  worker.channel?.unref();
  idle = { key, worker, timer };
}

function takeIdle(key: string): ChildProcess | null {
  if (idle?.key !== key || !idle.worker.connected) return null;
  const { worker, timer } = idle;
  idle = null;
  clearTimeout(timer);
  worker.removeAllListeners('exit');
  worker.ref();
  worker.channel?.ref();
  return worker;
}

function endIdle(): void {
  clearTimeout(idle?.timer);
  idle?.worker.kill('SIGKILL');
  idle = null;
}

function startWorker(program: URL, heapMb: number): ChildProcess {
  const flags = [`--max-old-space-size=${heapMb}`];
  if (program.pathname.endsWith('.ts')) flags.push('--import', import.meta.resolve('tsx'));
  return fork(fileURLToPath(program), {
    execArgv: flags,
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  });
}

/** Beside this module in the sources; in a build it stands with `main.js`. */
function workerBeside(module: string): URL {
  if (module.endsWith('.ts')) return new URL('./spec-worker.ts', module);
  return new URL(module.includes('/chunks/') ? '../spec-worker.js' : './spec-worker.js', module);
}
