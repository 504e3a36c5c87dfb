// A process that runs Python for one conversation. It is killed when it takes too long or too much memory.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { readProcessorMs, readResident } from '../platform/processes/process-usage.ts';
import { z } from 'zod';

/** What a kernel sends is made by strangers' code: nothing of it is trusted. */
const KernelResult = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('log'), id: z.number(), text: z.string() }),
  z.object({
    type: z.literal('done'),
    id: z.number(),
    /** A traceback, or why an order could not be carried out. */
    error: z.string().nullish(),
    files: z.array(z.object({ name: z.string(), bytes: z.number() })).optional(),
    data: z.string().optional(),
  }),
]);

/** Bytes of a file in one order or answer, before base64. */
const PIECE_BYTES = 512 * 1024;

/** The longest line of a kernel, in bytes: a piece in base64 with what is around it. */
const LINE_MAX = 1024 * 1024;

/** How a kernel is started. */
export interface KernelProgram {
  file: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
}

export interface KernelLimits {
  /** For one run. */
  runMs: number;
  /** Until it is ready. */
  startMs: number;
  /** Of the process in all. */
  memoryBytes: number;
}

export interface RunOutcome {
  /** A traceback; null when the code ran to its end. */
  error: string | null;
  /** By their names in the kernel's folder, created or changed. */
  files: { name: string; bytes: number }[];
}

export interface Kernel {
  /** Whether it answers: its process may have ended without a notice yet. */
  isAlive(signal: AbortSignal): Promise<boolean>;
  /** `onLog` gets what is printed, as it comes. @throws KernelEnded, as the other orders do */
  run(code: string, signal: AbortSignal, onLog: (text: string) => void): Promise<RunOutcome>;
  write(name: string, bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void>;
  /** The file from its beginning, at most `bytes` of it. */
  read(name: string, bytes: number, signal: AbortSignal): AsyncGenerator<Uint8Array>;
  /** Resolves when the process is gone, whatever ended it. */
  ended: Promise<void>;
  /** Kills the process and waits for its end. */
  end(): Promise<void>;
}

export type EndReason = 'timed_out' | 'out_of_memory' | 'stopped' | 'failed';

/** The process is gone, and with it everything that Python held. */
export class KernelEnded extends Error {
  override name = 'KernelEnded';
  readonly reason: EndReason;

  constructor(reason: EndReason, detail = '') {
    super(`The Python process ended (${reason}).${detail && ` ${detail}`}`);
    this.reason = reason;
  }
}

/** How often the memory of the process is looked at. */
const LOOK_MS = 100;
/** Of processor time between two calls. */
const IDLE_PROCESSOR_MS = 5000;
/** For one piece of a file, and for a ping. */
const PIECE_MS = 20_000;
/** Of a run's output, in characters. A kernel cuts it itself; this holds for one that does not. */
const LOG_MAX = 70_000;
/** What a kernel may say during one order, in bytes: the output in very short lines, with what is around them. */
const SAID_MAX = 8 * 1024 * 1024;
/** Of what a program prints before it is ready, in characters. */
const COMPLAINT_MAX = 500;
/** How V8 ends a process that has no memory left. */
const OUT_OF_MEMORY: readonly (NodeJS.Signals | number | null)[] = ['SIGABRT', 'SIGTRAP', 'SIGILL', 133, 134];

/** An order that is being carried out. */
interface Pending {
  id: number;
  onLog: (text: string) => void;
  resolve: (done: Done) => void;
  reject: (error: Error) => void;
}

/** @throws KernelEnded when the program does not become ready */
export async function startKernel(program: KernelProgram, limits: KernelLimits, signal: AbortSignal): Promise<Kernel> {
  const { ready, ask, ended, end } = startProcess(program, limits);
  await ready(signal);

  async function* read(name: string, bytes: number, stop: AbortSignal) {
    for (let from = 0; from < bytes;) {
      const wanted = Math.min(PIECE_BYTES, bytes - from);
      const { data = '' } = await ask({ type: 'read', name, from, bytes: wanted }, PIECE_MS, stop);
      const piece = Buffer.from(data, 'base64').subarray(0, wanted);
      if (piece.length === 0) return;
      from += piece.length;
      yield piece;
    }
  }

  return {
    isAlive: (stop) =>
      ask({ type: 'ping' }, PIECE_MS, stop).then(
        () => true,
        () => false,
      ),
    async run(code, stop, onLog) {
      const { error = null, files = [] } = await ask({ type: 'run', code }, limits.runMs, stop, onLog);
      return { error, files };
    },
    async write(name, bytes, stop) {
      let isFirst = true;
      for await (const piece of piecesOf(bytes)) {
        const order = { type: 'write', name, data: piece.toString('base64'), isFirst } as const;
        const { error } = await ask(order, PIECE_MS, stop);
        if (error) throw new Error('A file could not be written for Python.');
        isFirst = false;
      }
    },
    read,
    ended,
    end,
  };
}

/** The process with one order at a time. */
function startProcess(program: KernelProgram, { startMs, memoryBytes }: KernelLimits) {
  // In a group of its own, so that what a program of the operator's has started ends with it.
  const options = { env: program.env, cwd: program.cwd, detached: true, windowsHide: true };
  const child = spawn(program.file, program.args, { ...options, stdio: 'pipe' });
  let why: EndReason | null = null;
  let complaint = '';
  let pending: Pending | null = null;
  let orders = 0;
  let usedBefore: number | null = null;
  const kill = (reason: EndReason) => {
    why ??= reason;
    killGroup(child);
  };

  const ended = new Promise<void>((resolve) => {
    const finish = (reason: EndReason) => {
      clearInterval(watch);
      why ??= reason;
      pending?.reject(new KernelEnded(why, complaint));
      pending = null;
      resolve();
    };
    child.once('error', (error) => {
      complaint ||= error.message;
      finish('failed');
    });
    child.once('close', (code, by) => finish(OUT_OF_MEMORY.includes(by ?? code) ? 'out_of_memory' : 'failed'));
  });
  const watch = setInterval(() => void look(), LOOK_MS);

  async function look() {
    if (child.pid === undefined) return;
    const [held, used] = await Promise.all([readResident(child.pid), readProcessorMs(child.pid)]);
    if (held !== null && held > memoryBytes) kill('out_of_memory');
    // Code may leave something behind that goes on between the calls.
    usedBefore = pending ? null : (usedBefore ?? used);
    if (used !== null && usedBefore !== null && used - usedBefore > IDLE_PROCESSOR_MS) kill('failed');
  }

  function ask(order: Order, ms: number, signal: AbortSignal, onLog: Pending['onLog'] = () => {}) {
    return wait(++orders, ms, signal, onLog, { id: orders, ...order });
  }

  /** What comes before the first order is waited for like the answer to order 0. */
  function wait(id: number, ms: number, signal: AbortSignal, onLog: Pending['onLog'], line?: object): Promise<Done> {
    const timer = setTimeout(() => kill('timed_out'), ms);
    const stop = () => kill('stopped');
    return new Promise<Done>((resolve, reject) => {
      if (why) throw new KernelEnded(why, complaint);
      pending = { id, onLog, resolve, reject };
      if (signal.aborted) stop();
      signal.addEventListener('abort', stop, { once: true });
      if (line) child.stdin.write(`${JSON.stringify(line)}\n`);
    }).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      pending = null;
    });
  }

  child.stdin.on('error', () => {});
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (orders === 0) complaint = (complaint + text).slice(0, COMPLAINT_MAX);
  });
  void readResults(child, () => pending).catch(() => kill('failed'));
  return {
    ask,
    ready: (signal: AbortSignal) => wait(0, startMs, signal, () => {}),
    ended,
    end: () => {
      kill('stopped');
      return ended;
    },
  };
}

/**
 * Hands on the answers to the order that is being carried out; others are ignored. What is printed at once is sent at
 * once. @throws Error when the kernel sends more than it may, or what is no answer
 */
async function readResults(child: ChildProcessWithoutNullStreams, current: () => Pending | null): Promise<void> {
  let rest = Buffer.alloc(0);
  let of: Pending | null = null;
  let said = 0;
  let logged = 0;
  const output: AsyncIterable<Buffer> = child.stdout;
  for await (const chunk of output) {
    const order = current();
    if (order !== of) [of, said, logged] = [order, 0, 0];
    said += chunk.length;
    if (said > SAID_MAX) throw new Error('A kernel says too much');
    const bytes = Buffer.concat([rest, chunk]);
    const end = bytes.lastIndexOf('\n') + 1;
    rest = bytes.subarray(end);
    if (rest.length > LINE_MAX) throw new Error('A line of a kernel is too long');
    const lines = bytes.toString('utf8', 0, end).split('\n');
    const replies = lines.filter((line) => line !== '').map((line) => KernelResult.parse(JSON.parse(line)));
    if (!order) continue;
    const log = replies.map((one) => (one.type === 'log' && one.id === order.id ? one.text : '')).join('');
    const shown = log.slice(0, LOG_MAX - logged);
    logged += shown.length;
    if (shown !== '') order.onLog(shown);
    const done = replies.find((one) => isEnd(one, order.id));
    if (done) order.resolve(done.type === 'done' ? done : { type: 'done', id: 0 });
  }
}

function isEnd(result: KernelResult, id: number): boolean {
  return id === 0 ? result.type === 'ready' : result.type === 'done' && result.id === id;
}

function killGroup(child: ChildProcessWithoutNullStreams): void {
  const { pid, exitCode, signalCode } = child;
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  if (process.platform === 'win32') return void child.kill('SIGKILL');
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

async function* piecesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let isEmpty = true;
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      isEmpty = false;
      yield Buffer.from(chunk.subarray(at, at + PIECE_BYTES));
    }
  }
  if (isEmpty) yield Buffer.alloc(0);
}

// What the server and a kernel say to each other: one JSON object a line, on the kernel's standard input and output.
// Any program with this protocol can be a kernel (INTERPRETER_COMMAND); it ends when its input does. The first line of a
// kernel is `{"type":"ready"}`. Then each order is answered by `done` with the order's id, before the next one is
// given.
type Order =
  /** Answered at once. */
  | { type: 'ping' }
  /** Runs Python. What it prints comes as `log` before `done`, which lists the files that it created or changed. */
  | { type: 'run'; code: string }
  /**
   * Appends bytes, in base64, to a file of the kernel's folder, or begins it anew. Where the name begins with `/skills/`, it
   * is a path of its own, beside that folder.
   */
  | { type: 'write'; name: string; data: string; isFirst: boolean }
  /** Asks for up to `bytes` bytes of a file, as `data` in base64; fewer at its end. */
  | { type: 'read'; name: string; from: number; bytes: number };

type KernelResult = z.infer<typeof KernelResult>;

type Done = Extract<KernelResult, { type: 'done' }>;
