// Calculates expressions in a process of its own, started when it is first used.
import type { ChildProcess } from 'node:child_process';
import {
  askWorker,
  createWaitingWorker,
  endWorker,
  nextMessage,
  programBeside,
  startWorker,
} from '../../platform/processes/child-worker.ts';
import { withDeadline } from '../../platform/deadline.ts';
import { createFairQueue } from '../../platform/semaphore.ts';
import { argumentsSchema } from '../../providers/tool-spec.ts';
import type { Tool, ToolOutcome } from '../tool.ts';

/** What the process sends for an expression; its first message says only that it is ready. */
interface CalculatorResult {
  type: 'result' | 'failed';
  text: string;
}

export interface Calculator {
  tool: Tool;
  close(): Promise<void>;
}

const EXPRESSION_MAX = 1000;
/** For the expressions of others that come first, and for the process to start. */
const WAIT_MS = 22_000;
/** An idle process ends after this. */
const IDLE_MS = 60_000;
const HEAP_MB = 128;

const DESCRIPTION =
  'Calculates a mathematical expression exactly, such as "2 * (3 + 4)^2", "sqrt(2)", "12.7 cm to inch", "sin(45 deg)" or "det([1, 2; 3, 4])".';

/** @param evaluationMs a busy machine needs a second for a sum, and seconds for the library of its own */
export function createCalculator(evaluationMs: number): Calculator {
  const waiting = createWaitingWorker(IDLE_MS);
  const closed = new AbortController();
  /** One expression at a time; people take turns. */
  const inTurn = createFairQueue(1);

  const tool: Tool = {
    name: 'calculator',
    description: DESCRIPTION,
    parameters: {
      ...argumentsSchema({ input: { type: 'string', description: 'The expression.', maxLength: EXPRESSION_MAX } }),
      additionalProperties: false,
    },
    kind: 'function',
    from: { source: 'builtin', id: 'calculator', label: 'Calculator' },
    isRepeatable: true,
    asks: 'never',
    limits: { timeoutMs: WAIT_MS + evaluationMs, outputChars: 10_000 },
    async run({ args, userId, signal }): Promise<ToolOutcome> {
      const { input } = args;
      if (typeof input !== 'string' || input.length > EXPRESSION_MAX)
        return { type: 'failed', text: `An expression has at most ${EXPRESSION_MAX} characters.` };
      return inTurn(userId, () => calculate(input, signal));
    },
  };
  return {
    tool,
    close() {
      closed.abort();
      return waiting.end();
    },
  };

  async function calculate(expression: string, signal: AbortSignal): Promise<ToolOutcome> {
    if (signal.aborted) return { type: 'failed', text: 'It was stopped.' };
    const worker = waiting.take() ?? (await startReady());
    const until = withDeadline(evaluationMs, signal, closed.signal);
    const result = worker && ((await askWorker(worker, expression, until)) as CalculatorResult | null);
    if (result) waiting.put(worker);
    else if (worker) await endWorker(worker);
    if (result?.type === 'result') return { type: 'done', text: result.text };
    return { type: 'failed', text: result?.text ?? 'This takes too long to calculate.' };
  }
}

/** One that has loaded its library; null when it does not start. */
async function startReady(): Promise<ChildProcess | null> {
  const worker = startWorker(programBeside(import.meta.url, './calculator-worker.mjs'), HEAP_MB);
  return (await nextMessage(worker)) === null ? null : worker;
}
