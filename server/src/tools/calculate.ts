// Evaluates mathematical expressions in a process of its own, which loads the library when it is first needed: an
// expression may be endless, or make a matrix that fills the memory.
import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ToolOutcome } from './tool.ts';

/** What the process says to each message. */
export interface CalculationAnswer {
  type: 'result' | 'failed';
  text: string;
}

/** The longest expression, in characters. */
export const EXPRESSION_MAX = 1000;

export interface EvaluateOptions {
  /** For one expression, once the process is ready. */
  timeoutMs?: number;
  /** The program of the process; the one beside this module unless a test has another. */
  program?: URL;
}

const TIMEOUT_MS = 1000;
/** Of loading the library. */
const START_MS = 30_000;
const HEAP_MB = 128;
/** A process without work ends after this. */
const IDLE_MS = 60_000;

interface Calculator {
  process: ChildProcess;
  idle: NodeJS.Timeout;
}

/** The process that waits for the next expression: one at a time uses it, others start their own. */
let spare: Calculator | null = null;

/** Takes at most a second; what cannot be evaluated is an outcome. @throws the reason of `signal` when that aborts */
export async function evaluate(
  expression: string,
  signal: AbortSignal,
  { timeoutMs = TIMEOUT_MS, program }: EvaluateOptions = {},
): Promise<ToolOutcome> {
  signal.throwIfAborted();
  if (expression.length > EXPRESSION_MAX) return failed(`An expression has at most ${EXPRESSION_MAX} characters.`);
  const worker = takeSpare() ?? start(program);
  const kill = () => worker.kill('SIGKILL');
  signal.addEventListener('abort', kill);
  try {
    // Whether it is new or has waited, it answers this as soon as it is ready.
    const isReady = await ask(worker, '0', START_MS);
    const answer = isReady && (await ask(worker, expression, timeoutMs));
    signal.throwIfAborted();
    if (!answer) return failed('This takes too long, or too much memory, to be computed.');
    keepSpare(worker);
    return answer.type === 'result' ? { type: 'done', text: answer.text } : failed(answer.text);
  } finally {
    signal.removeEventListener('abort', kill);
    if (spare?.process !== worker) kill();
  }
}

/** Null when it does not answer in time, or ends. */
function ask(worker: ChildProcess, expression: string, timeoutMs: number): Promise<CalculationAnswer | null> {
  return new Promise((resolve) => {
    const settle = (answer: CalculationAnswer | null) => {
      clearTimeout(timer);
      worker.off('message', settle).off('exit', end).off('error', end);
      resolve(answer);
    };
    const end = () => settle(null);
    const timer = setTimeout(end, timeoutMs);
    worker.on('message', settle).on('exit', end).on('error', end);
    if (worker.exitCode !== null || worker.signalCode !== null) return end();
    worker.send(expression, () => {});
  });
}

function takeSpare(): ChildProcess | null {
  const taken = spare;
  spare = null;
  if (taken) clearTimeout(taken.idle);
  return taken && taken.process.connected ? taken.process : null;
}

function keepSpare(process: ChildProcess): void {
  if (spare) return;
  const idle = setTimeout(() => {
    spare = null;
    process.kill('SIGKILL');
  }, IDLE_MS);
  idle.unref();
  spare = { process, idle };
}

function start(program = programBeside(import.meta.url)): ChildProcess {
  const flags = [`--max-old-space-size=${HEAP_MB}`];
  const stdio: ['ignore', 'ignore', 'ignore', 'ipc'] = ['ignore', 'ignore', 'ignore', 'ipc'];
  const worker = fork(fileURLToPath(program), { execArgv: flags, env: {}, stdio });
  // It ends with the server, which need not wait for it.
  worker.unref();
  worker.channel?.unref();
  worker.on('error', () => {});
  return worker;
}

/** In a build it stands with `main.js`, where this module is in that or in a file of `chunks/`. */
function programBeside(module: string): URL {
  if (module.endsWith('.ts')) return new URL('./calculate-worker.mjs', module);
  return new URL(module.includes('/chunks/') ? '../calculate-worker.js' : './calculate-worker.js', module);
}

function failed(text: string): ToolOutcome {
  return { type: 'failed', text };
}
