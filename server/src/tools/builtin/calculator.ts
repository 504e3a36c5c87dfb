// Calculates expressions in a thread of its own, loaded when it is first used.
import { Worker } from 'node:worker_threads';
import type { Tool, ToolOutcome } from '../tool.ts';

export const CALCULATOR = 'calculator';

const EXPRESSION_MAX = 1000;
/** How long one expression may take once the thread has begun. */
const EVALUATION_MS = 1000;
/** An idle thread ends after this. */
const IDLE_MS = 60_000;
const HEAP_MB = 128;

const DESCRIPTION =
  'Calculates a mathematical expression exactly, such as "2 * (3 + 4)^2", "sqrt(2)", "12.7 cm to inch", "sin(45 deg)" or "det([1, 2; 3, 4])".';

/** What the thread says. */
export type CalculatorMessage = { type: 'ready' } | { type: 'result' | 'failed'; text: string };

export interface Calculator {
  tool: Tool;
  close(): Promise<void>;
}

export function createCalculator(): Calculator {
  let thread: Promise<Worker> | null = null;
  let idle: NodeJS.Timeout | undefined;
  /** One expression at a time. */
  let queue: Promise<unknown> = Promise.resolve();

  const tool: Tool = {
    name: CALCULATOR,
    description: DESCRIPTION,
    parameters: {
      type: 'object',
      properties: { input: { type: 'string', description: 'The expression.', maxLength: EXPRESSION_MAX } },
      required: ['input'],
      additionalProperties: false,
    },
    kind: 'function',
    from: { source: 'builtin', id: CALCULATOR, label: 'Calculator' },
    isRepeatable: true,
    asks: 'never',
    limits: { timeoutMs: 30_000, outputChars: 10_000 },
    async run({ args, signal }): Promise<ToolOutcome> {
      const { input } = args;
      if (typeof input !== 'string' || input.length > EXPRESSION_MAX)
        return { type: 'failed', text: `An expression has at most ${EXPRESSION_MAX} characters.` };
      const calculated = queue.then(() => calculate(input, signal));
      queue = calculated.catch(() => undefined);
      return calculated;
    },
  };
  return { tool, close: end };

  async function calculate(expression: string, signal: AbortSignal): Promise<ToolOutcome> {
    if (signal.aborted) return { type: 'failed', text: 'It was stopped.' };
    clearTimeout(idle);
    thread ??= startThread();
    const worker = await thread.catch(() => null);
    if (!worker) {
      thread = null;
      return { type: 'failed', text: 'The calculator does not start.' };
    }
    const answer = await answerOf(worker, expression, signal);
    if (answer === null) await end();
    else idle = setTimeout(() => void end(), IDLE_MS).unref();
    if (answer?.type === 'result') return { type: 'done', text: answer.text };
    return { type: 'failed', text: answer?.text ?? 'This takes too long to calculate.' };
  }

  async function end(): Promise<void> {
    clearTimeout(idle);
    const worker = await thread?.catch(() => null);
    thread = null;
    await worker?.terminate();
  }
}

/** Resolves when it has loaded its library. */
async function startThread(): Promise<Worker> {
  const limits = { maxOldGenerationSizeMb: HEAP_MB };
  const worker = new Worker(workerBeside(import.meta.url), { execArgv: [], env: {}, resourceLimits: limits });
  worker.unref();
  if ((await nextMessage(worker, null)) === null) throw new Error('The calculator does not start');
  return worker;
}

/** Null when it takes too long, is stopped, or the thread ends. */
async function answerOf(worker: Worker, expression: string, signal: AbortSignal): Promise<Answer | null> {
  const ending = new AbortController();
  const stop = () => ending.abort();
  const timer = setTimeout(stop, EVALUATION_MS);
  signal.addEventListener('abort', stop, { once: true });
  try {
    const answer = nextMessage(worker, ending.signal);
    worker.postMessage(expression);
    const message = await answer;
    return message === null || message.type === 'ready' ? null : message;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

type Answer = Exclude<CalculatorMessage, { type: 'ready' }>;

function nextMessage(worker: Worker, signal: AbortSignal | null): Promise<CalculatorMessage | null> {
  return new Promise((resolve) => {
    const settle = (message: CalculatorMessage | null) => {
      worker.off('message', settle).off('error', fail).off('exit', fail);
      signal?.removeEventListener('abort', fail);
      resolve(message);
    };
    const fail = () => settle(null);
    worker.on('message', settle).on('error', fail).on('exit', fail);
    signal?.addEventListener('abort', fail, { once: true });
  });
}

/** Beside this module in the sources; in a build it stands with `main.js`, where this module is in that or in `chunks/`. */
function workerBeside(module: string): URL {
  if (module.endsWith('.ts')) return new URL('./calculator-worker.mjs', module);
  return new URL(module.includes('/chunks/') ? '../calculator-worker.js' : './calculator-worker.js', module);
}
