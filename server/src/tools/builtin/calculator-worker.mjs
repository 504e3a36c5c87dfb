// The thread that calculates: an endless expression keeps only this thread busy until the server ends it. Plain
// JavaScript, since threads get no loader of TypeScript.
import { parentPort } from 'node:worker_threads';
import { all, create } from 'mathjs';

const DIGITS = 14;
const RESULT_MAX = 10_000;

const math = create(all, {});
const evaluate = math.evaluate.bind(math);

function refuse() {
  throw new Error('This function is not available');
}

// What mathjs's guide to untrusted expressions switches off.
math.import(
  {
    import: refuse,
    createUnit: refuse,
    reviver: refuse,
    evaluate: refuse,
    parse: refuse,
    simplify: refuse,
    derivative: refuse,
    resolve: refuse,
  },
  { override: true },
);

parentPort?.on('message', (expression) => tell(answerTo(expression)));
tell({ type: 'ready' });

/** @param {string} expression */
function answerTo(expression) {
  try {
    const text = math.format(evaluate(expression), { precision: DIGITS });
    return text.length <= RESULT_MAX ? { type: 'result', text } : { type: 'failed', text: 'The result is too long.' };
  } catch (error) {
    return { type: 'failed', text: error instanceof Error ? error.message : 'This is no expression.' };
  }
}

/** @param {import('./calculator.ts').CalculatorMessage} message */
function tell(message) {
  parentPort?.postMessage(message);
}
