import { evaluate, EXPRESSION_MAX } from '@parley/server/tools/calculate';
import { describe, expect, it } from 'vitest';

const never = new AbortController().signal;
/** Longer than any calculation on a busy machine. */
const patient = { timeoutMs: 60_000 };

describe('an expression', () => {
  it.each([
    ['1 + 2 * 3', '7'],
    ['0.1 + 0.2', '0.3'],
    ['2^64', '1.844674407371e+19'],
    ['12.7 cm to inch', '5 inch'],
    ['sqrt(-4)', '2i'],
    ['det([1, 2; 3, 4])', '-2'],
  ])('%s is %s', async (expression, text) => {
    expect(await evaluate(expression, never, patient)).toEqual({ type: 'done', text });
  });

  it.each([
    ['import({ a: 1 }, {})'],
    ['createUnit("foo")'],
    ['evaluate("1 + 1")'],
    ['parse("1 + 1")'],
    ['compile("1 + 1")'],
    ['simplify("x + x")'],
    ['derivative("x^2", "x")'],
    ['resolve("x", {})'],
    ['reviver("a", 1)'],
  ])('cannot use %s', async (expression) => {
    const outcome = await evaluate(expression, never, patient);
    expect(outcome).toEqual({ type: 'failed', text: 'This function is not available.' });
  });

  it.each([
    ['cos.constructor("return 1")', /No access to method "constructor"/],
    ['2 +', /Unexpected end of expression/],
    ['nothing(1)', /Undefined function nothing/],
    ['1:100000', /The result is too long/],
  ])('%s is told why not', async (expression, why) => {
    expect(await evaluate(expression, never, patient)).toEqual({ type: 'failed', text: expect.stringMatching(why) });
  });

  it('has a longest length', async () => {
    const outcome = await evaluate('1'.repeat(EXPRESSION_MAX + 1), never, patient);
    expect(outcome).toEqual({ type: 'failed', text: 'An expression has at most 1000 characters.' });
  });
});

describe('an expression that never ends', () => {
  const endless = 'f(x) = f2(x); f2(x) = x; a = 0; g(n) = n == 0 ? 0 : g(n - 1) + g(n - 1); g(1000)';

  it('is ended after a while, and the next one is computed', async () => {
    expect(await evaluate(endless, never, { timeoutMs: 500 })).toEqual({
      type: 'failed',
      text: 'This takes too long, or too much memory, to be computed.',
    });
    expect(await evaluate('1 + 1', never, patient)).toEqual({ type: 'done', text: '2' });
  });

  it('is ended when a person stops it', async () => {
    const stop = new AbortController();
    const running = evaluate(endless, stop.signal, patient);
    stop.abort();
    await expect(running).rejects.toThrow(/abort/i);
  });

  it('or fills the memory, ends its process alone', async () => {
    const outcome = await evaluate('ones(20000, 20000)', never, { timeoutMs: 2000 });
    expect(outcome).toMatchObject({ type: 'failed' });
    expect(await evaluate('1 + 1', never, patient)).toEqual({ type: 'done', text: '2' });
  });
});
