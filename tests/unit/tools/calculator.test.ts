// Nothing of one person's expression reaches another's: they share a process, but no library.
import { createBuiltinSource } from '@parley/server/tools/builtin/builtin-source';
import type { ToolOutcome } from '@parley/server/tools/tool';
import * as mathjs from 'mathjs';
import { afterAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createMath, OFF } from '../../../server/src/tools/builtin/calculator-math.mjs';

const Documented = z.object({ docs: z.record(z.string(), z.looseObject({ examples: z.array(z.string()) })) });
const { docs } = Documented.parse({ ...mathjs });
const NAMES = Object.keys(docs).filter((name) => /^\w+$/.test(name));
/** Their results differ each time. */
const RANDOM = /random|pickRandom/i;
const EXAMPLES = Object.entries(docs).flatMap(([name, { examples }]) => (RANDOM.test(name) ? [] : examples));

const FALSE_CONFIG =
  '{number: "BigNumber", precision: 2, relTol: 0.5, absTol: 0.5, matrix: "Array", predictable: true}';

/** What is tried with each function, and with units and constants. */
const ATTACKS = [
  ...NAMES.flatMap((name) => [`${name}(${FALSE_CONFIG})`, `${name} = 3`, `${name}(x) = 0; ${name}(1)`]),
  ...['config', 'import'].flatMap((name) => [`map([1], ${name})`, `f = ${name}; f(${FALSE_CONFIG})`]),
  `parser().evaluate("config(${FALSE_CONFIG.replaceAll('"', '\\"')})")`,
  `import({sin: cos, pi: 3}, {override: true})`,
  'createUnit("metre", "2 m", {override: true})',
  'speedOfLight.value = 1',
  'i.re = 1',
  'sin.signatures = {}',
  'typed.addConversion({from: "string", to: "number"})',
  '5 inch',
  '3 lbf',
  '2 kiB',
  '{}.constructor = 1',
  '[].__proto__ = 1',
];

describe('an expression', () => {
  it('changes no result of another one, whichever function it calls', () => {
    const calculate = createMath();
    const before = EXAMPLES.map((example) => [example, calculate(example)]);
    const hostile = createMath();
    for (const attack of [...ATTACKS, ...EXAMPLES]) hostile(attack);
    const after = createMath();
    expect(EXAMPLES.map((example) => [example, after(example)])).toEqual(before);
    expect(EXAMPLES.length).toBeGreaterThan(500);
  });

  it.each([...OFF])('cannot call %s', (name) => {
    const calculate = createMath();
    for (const call of [`${name}({})`, `${name}("1")`, `f = ${name}; f("1")`, `map(["1"], ${name})`])
      expect([call, calculate(call)]).toEqual([call, { type: 'failed', text: 'This function is not available' }]);
  });
});

describe('the calculator that people share', () => {
  const source = createBuiltinSource();
  afterAll(() => source.close());

  async function calculate(userId: string, input: string): Promise<ToolOutcome | undefined> {
    const { tools } = await source.tools({ userId, convoId: 'convo', keys: ['calculator'], files: [] });
    const run = { userId, convoId: 'convo', generationId: 'generation', callId: '0:0', args: { input } };
    return tools[0]?.run({ ...run, signal: new AbortController().signal, report: () => undefined });
  }

  it('gives others right results after one has configured it, named a unit, or set a constant', async () => {
    for (const attack of [`config(${FALSE_CONFIG})`, '5 inch', 'pi = 3', 'sin(x) = 0'])
      await calculate('mallory', attack);
    for (const [input, text] of [
      ['1/3', '0.33333333333333'],
      ['2 == 2.1', 'false'],
      ['1 J / 1 N', '1 m'],
      ['sin(pi / 2)', '1'],
    ] as const)
      expect([input, await calculate('bob', input)]).toEqual([input, { type: 'done', text }]);
  });

  it('lets people take turns, however much one of them asks', async () => {
    const order: string[] = [];
    const ask = async (userId: string, input: string) => {
      await calculate(userId, input);
      order.push(userId);
    };
    const many = Array.from({ length: 6 }, (_, n) => ask('mallory', `${n} + 1`));
    await Promise.all([...many, ask('bob', '1 + 1'), ask('carol', '1 + 1')]);
    expect(order.slice(0, 4)).toEqual(['mallory', 'mallory', 'bob', 'carol']);
  });
});
