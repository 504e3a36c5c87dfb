// The process that evaluates expressions, one message each. Plain JavaScript: a loader of TypeScript would read each of
// the library's thousand files.
import { all, create } from 'mathjs';

const DIGITS = 14;
const RESULT_MAX = 10_000;

const math = create(all ?? {});
const evaluate = math.evaluate.bind(math);

/** What the library's guide to foreign expressions names as unsafe: they change it, or make and read expressions. */
const UNSAFE = ['import', 'createUnit', 'reviver', 'evaluate', 'parse', 'simplify', 'derivative', 'resolve', 'compile'];

function refuse() {
  throw new Error('This function is not available.');
}

math.import(Object.fromEntries(UNSAFE.map((name) => [name, refuse])), { override: true });

process.once('disconnect', () => process.exit());
process.on('message', (expression) => process.send?.(answerTo(String(expression))));

/**
 * @param {string} expression
 * @returns {import('./calculate.ts').CalculationAnswer}
 */
function answerTo(expression) {
  try {
    const text = math.format(evaluate(expression), { precision: DIGITS });
    if (text.length > RESULT_MAX) return { type: 'failed', text: 'The result is too long.' };
    return { type: 'result', text };
  } catch (error) {
    return { type: 'failed', text: error instanceof Error ? error.message : 'This is no expression.' };
  }
}
