// The process that calculates: an endless or a huge expression costs nothing but this process. Plain JavaScript, since
// it needs no loader then.
import process from 'node:process';
import { Worker } from 'node:worker_threads';
import { all, create } from 'mathjs';

const DIGITS = 14;
const RESULT_MAX = 10_000;

const math = create(all, {});
const evaluate = math.evaluate.bind(math);

function refuse() {
  throw new Error('This function is not available');
}

// What mathjs's guide to untrusted expressions switches off.
const UNSAFE = ['import', 'createUnit', 'reviver', 'evaluate', 'parse', 'simplify', 'derivative', 'resolve'];
math.import(Object.fromEntries(UNSAFE.map((name) => [name, refuse])), { override: true });

// Ends this process even while it calculates, when the server that would end it is gone.
const watch = `const parent = process.ppid;
setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGKILL'), 1000)`;
new Worker(watch, { eval: true, execArgv: [] }).unref();

process.once('disconnect', () => process.exit());
process.on('message', (expression) => process.send?.(answerTo(String(expression))));
// The first evaluation takes longer than others.
answerTo('1 + 1');
process.send?.({ type: 'ready' });

/**
 * @param {string} expression
 * @returns {import('./calculator.ts').CalculatorMessage}
 */
function answerTo(expression) {
  try {
    const text = math.format(evaluate(expression), { precision: DIGITS, lowerExp: -7, upperExp: 15 });
    return text.length <= RESULT_MAX ? { type: 'result', text } : { type: 'failed', text: 'The result is too long.' };
  } catch (error) {
    return { type: 'failed', text: error instanceof Error ? error.message : 'This is no expression.' };
  }
}
