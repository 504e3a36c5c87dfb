// What one expression is calculated with: a library of its own. An expression changes its library, and not only by the
// functions that are off here: units, too, are shown in those that were named last.
import { all, create } from 'mathjs';

const DIGITS = 14;
const RESULT_MAX = 10_000;

/**
 * Off: what changes the library, what mathjs's guide to untrusted expressions names, and what parses text, such as the
 * examples of the help.
 */
export const OFF = [
  'config',
  'import',
  'createUnit',
  'typed',
  'reviver',
  'replacer',
  'evaluate',
  'parse',
  'parser',
  'compile',
  'help',
  'simplify',
  'derivative',
  'resolve',
];

function refuse() {
  throw new Error('This function is not available');
}

/**
 * Calculates one expression. A second one would find what the first has left.
 * @returns {(expression: string) => import('./calculator.ts').CalculatorAnswer}
 */
export function createMath() {
  const math = create(all, {});
  const evaluate = math.evaluate.bind(math);
  // All that an expression can name; other functions of the library go on using those that are off.
  const named = math.expression.mathWithTransform;
  for (const name of OFF) Object.defineProperty(named, name, { value: refuse });
  // The first evaluation takes longer than others, and leaves nothing.
  evaluate('1 + 1');
  return (expression) => {
    try {
      const text = math.format(evaluate(expression), { precision: DIGITS, lowerExp: -7, upperExp: 15 });
      return text.length <= RESULT_MAX ? { type: 'result', text } : { type: 'failed', text: 'The result is too long.' };
    } catch (error) {
      return { type: 'failed', text: error instanceof Error ? error.message : 'This is no expression.' };
    }
  };
}
