// Calculates expressions in a process of its own, started when it is first used. Not in a thread: one that runs out of
// memory while a large string grows takes the whole server with it.
import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createFairQueue } from '../../platform/semaphore.ts';
import type { Tool, ToolOutcome } from '../tool.ts';

/** What the process sends. */
export type CalculatorMessage = { type: 'ready' } | CalculatorAnswer;

export interface CalculatorAnswer {
  type: 'result' | 'failed';
  text: string;
}

export interface Calculator {
  tool: Tool;
  close(): Promise<void>;
}

const EXPRESSION_MAX = 1000;
/** How long one expression may take; a busy machine needs a second for a sum, and seconds for the library of its own. */
const EVALUATION_MS = 8000;
/** An idle process ends after this. */
const IDLE_MS = 60_000;
const HEAP_MB = 128;

const DESCRIPTION =
  'Calculates a mathematical expression exactly, such as "2 * (3 + 4)^2", "sqrt(2)", "12.7 cm to inch", "sin(45 deg)" or "det([1, 2; 3, 4])".';

export function createCalculator(): Calculator {
  let started: Promise<ChildProcess> | null = null;
  let idle: NodeJS.Timeout | undefined;
  /** One expression at a time; people take turns. */
  const inTurn = createFairQueue(1);

  const tool: Tool = {
    name: 'calculator',
    description: DESCRIPTION,
    parameters: {
      type: 'object',
      properties: { input: { type: 'string', description: 'The expression.', maxLength: EXPRESSION_MAX } },
      required: ['input'],
      additionalProperties: false,
    },
    kind: 'function',
    from: { source: 'builtin', id: 'calculator', label: 'Calculator' },
    isRepeatable: true,
    asks: 'never',
    limits: { timeoutMs: 30_000, outputChars: 10_000 },
    async run({ args, userId, signal }): Promise<ToolOutcome> {
      const { input } = args;
      if (typeof input !== 'string' || input.length > EXPRESSION_MAX)
        return { type: 'failed', text: `An expression has at most ${EXPRESSION_MAX} characters.` };
      return inTurn(userId, () => calculate(input, signal));
    },
  };
  return { tool, close: async () => end() };

  async function calculate(expression: string, signal: AbortSignal): Promise<ToolOutcome> {
    if (signal.aborted) return { type: 'failed', text: 'It was stopped.' };
    clearTimeout(idle);
    started ??= start();
    const child = await started.catch(() => null);
    const answer = child && (await answerOf(child, expression, signal));
    if (answer === null) end();
    else idle = setTimeout(end, IDLE_MS).unref();
    if (answer?.type === 'result') return { type: 'done', text: answer.text };
    return { type: 'failed', text: answer?.text ?? 'This takes too long to calculate.' };
  }

  function end(): void {
    clearTimeout(idle);
    void started?.then((child) => child.kill('SIGKILL')).catch(() => undefined);
    started = null;
  }
}

/**
 * Resolves when the process has loaded its library.
 * @throws Error when it does not start
 */
async function start(): Promise<ChildProcess> {
  const child = fork(fileURLToPath(workerBeside(import.meta.url)), {
    // Nothing in an expression becomes code.
    execArgv: [`--max-old-space-size=${HEAP_MB}`, '--disallow-code-generation-from-strings'],
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  if ((await nextMessage(child, null)) === null) throw new Error('The calculator does not start');
  child.unref();
  child.channel?.unref();
  return child;
}

/** Null when it takes too long, is stopped, or the process ends. */
async function answerOf(
  child: ChildProcess,
  expression: string,
  signal: AbortSignal,
): Promise<CalculatorAnswer | null> {
  const ending = new AbortController();
  const stop = () => ending.abort();
  const timer = setTimeout(stop, EVALUATION_MS);
  signal.addEventListener('abort', stop, { once: true });
  try {
    const answer = nextMessage(child, ending.signal);
    child.send(expression, () => {});
    const message = await answer;
    return message === null || message.type === 'ready' ? null : message;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

/** Null when the process ends or the signal aborts. */
function nextMessage(child: ChildProcess, signal: AbortSignal | null): Promise<CalculatorMessage | null> {
  return new Promise((resolve) => {
    const settle = (message: CalculatorMessage | null) => {
      child.off('message', onMessage).off('error', fail).off('exit', fail);
      signal?.removeEventListener('abort', fail);
      resolve(message);
    };
    const onMessage = (message: unknown) => settle(message as CalculatorMessage);
    const fail = () => settle(null);
    child.on('message', onMessage).on('error', fail).on('exit', fail);
    signal?.addEventListener('abort', fail, { once: true });
    if (child.exitCode !== null || child.signalCode !== null) fail();
  });
}

/**
 * Beside this module in the sources; in a build it stands with `main.js`, where this module is in that or in `chunks/`.
 */
function workerBeside(module: string): URL {
  if (module.endsWith('.ts')) return new URL('./calculator-worker.mjs', module);
  return new URL(module.includes('/chunks/') ? '../calculator-worker.js' : './calculator-worker.js', module);
}
