import { createBuiltinSource } from '@parley/server/tools/builtin/builtin-source';
import { afterAll, describe, expect, it } from 'vitest';
import { toolSourceContract } from '../../contracts/tool-source.ts';

toolSourceContract('builtin', async () => {
  const source = createBuiltinSource();
  return {
    source,
    userId: 'user',
    keys: ['calculator', 'artifact'],
    args: {
      calculator: { input: '1 + 1' },
      artifact: { id: 'pond', title: 'Pond', kind: 'markdown', text: '# Pond' },
    },
    close: () => source.close(),
  };
});

it('has no artifacts where the operator switched them off', async () => {
  const source = createBuiltinSource(undefined, 'off');
  expect((await source.list('user')).map(({ key }) => key)).toEqual(['calculator']);
  await source.close();
});

describe('the calculator', () => {
  const source = createBuiltinSource();
  afterAll(() => source.close());

  async function calculate(input: string) {
    const { tools } = await source.tools({ userId: 'user', convoId: 'convo', keys: ['calculator'], files: [] });
    const run = { userId: 'user', convoId: 'convo', generationId: 'generation', callId: '0:0', args: { input } };
    return tools[0]?.run({ ...run, signal: new AbortController().signal, report: () => undefined });
  }

  it.each([
    ['2 * (3 + 4)^2', '98'],
    ['0.1 + 0.2', '0.3'],
    ['271828 * 3', '815484'],
    ['12.7 cm to inch', '5 inch'],
    ['det([1, 2; 3, 4])', '-2'],
  ])('calculates %s', async (input, text) => {
    expect(await calculate(input)).toEqual({ type: 'done', text });
  });

  it.each([
    'import({ a: 1 })',
    'evaluate("1 + 1")',
    'createUnit("foo")',
    'cos.constructor("return process")()',
    '2 +',
    'x'.repeat(1001),
  ])('refuses %s', async (input) => {
    expect(await calculate(input)).toMatchObject({ type: 'failed' });
  });

  it('survives expressions without end and of any size', async () => {
    const doubling = 'f(n, x) = n == 0 ? x : f(n - 1, concat(x, x)); size(f(40, "aaaaaaaa"))';
    for (const input of ['1:1e9', doubling]) expect(await calculate(input)).toMatchObject({ type: 'failed' });
    expect(await calculate('2 + 2')).toEqual({ type: 'done', text: '4' });
  });
});
