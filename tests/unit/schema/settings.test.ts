import {
  endpointTable,
  endpointParams,
  withDefaults,
  type EndpointType,
  takesTools,
} from '@parley/schema/catalog/endpoints';
import { fitToModel, withSetting } from '@parley/schema/settings/fit-settings';
import { parseSettings } from '@parley/schema/settings/settings';
import { replyReserveOf } from '@parley/schema/catalog/windows';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';

describe('settings', () => {
  it('keep only values that differ from the default', () => {
    expect(parseSettings('openAI', { temperature: 1, top_p: 0.5, stop: [], promptPrefix: '' })).toEqual({ top_p: 0.5 });
  });

  it('treat null and absence as the default', () => {
    expect(parseSettings('openAI', { temperature: null, top_p: undefined })).toEqual({});
  });

  it('drop names that the endpoint does not know', () => {
    const whole = { conversationId: 'x', title: 'y', topK: 3, constructor: 1 };
    expect(parseSettings('openAI', whole)).toEqual({});
  });

  it.each<[EndpointType, Record<string, unknown>, string]>([
    ['openAI', { temperature: 2.01 }, 'temperature must be a number from 0 to 2'],
    ['openAI', { temperature: Number.NaN }, 'temperature must be a number from 0 to 2'],
    ['openAI', { temperature: '1' }, 'temperature must be a number from 0 to 2'],
    ['openAI', { presence_penalty: -3 }, 'presence_penalty must be a number from -2 to 2'],
    ['openAI', { resendFiles: 'yes' }, 'resendFiles must be true or false'],
    ['openAI', { stop: ['a', 'b', 'c', 'd', 'e'] }, 'stop takes at most 4 entries'],
    ['openAI', { stop: 'a' }, 'stop must be a list of texts'],
    ['openAI', { stop: [''] }, 'stop must be a list of texts, each of 1 to 256 characters'],
    ['openAI', { stop: ['x'.repeat(257)] }, 'stop must be a list of texts, each of 1 to 256 characters'],
    ['openAI', { stop: [5] }, 'stop must be a list of texts, each of 1 to 256 characters'],
    ['openAI', { imageDetail: 'huge' }, 'imageDetail must be one of low, auto, high'],
    ['openAI', { promptPrefix: 5 }, 'promptPrefix must be a text'],
    ['openAI', { promptPrefix: 'x'.repeat(32_769) }, 'promptPrefix takes at most 32768 characters'],
    ['google', { examples: 'none' }, 'examples must be a list of examples'],
    ['google', { examples: [{ input: { content: 'a' } }] }, 'examples must be a list of examples, each an input and'],
    ['google', { examples: [exampleOf('x'.repeat(32_769), 'b')] }, 'examples take at most 32768 characters'],
    ['google', { examples: Array(101).fill(exampleOf('a', 'b')) }, 'examples takes at most 100 examples'],
    ['google', { topK: 41 }, 'topK must be a whole number from 1 to 40'],
    ['google', { topK: 1.5 }, 'topK must be a whole number from 1 to 40'],
  ])('of %s reject %o with a sentence', (type, input, sentence) => {
    expect(() => parseSettings(type, input)).toThrow(sentence);
  });

  it('have one issue without a path for an error, so that clients get only the sentence', () => {
    const examples = [exampleOf('fine', 'too'), { input: { content: 5 } }];
    const { error } = attempt(() => parseSettings('google', { examples, maxOutputTokens: 0 }));
    if (!(error instanceof z.ZodError)) throw new Error('It was not refused');
    const issues = error.issues.map(({ path, message }) => ({ path, message }));
    expect(issues).toEqual([{ path: [], message: 'maxOutputTokens must be a whole number from 1 to 2048' }]);
    const { error: other } = attempt(() => parseSettings('google', { examples }));
    expect(other instanceof z.ZodError && other.issues).toMatchObject([{ path: [] }]);
  });

  it('omit examples that are empty on both sides', () => {
    const half = exampleOf('asked', ' ');
    expect(parseSettings('google', { examples: [exampleOf('', ' \n'), half] })).toEqual({ examples: [half] });
    expect(parseSettings('google', { examples: [exampleOf('', '')] })).toEqual({});
  });

  it.each([
    ['chat-bison', 3000, 2048],
    ['chat-bison', 2048, 2048],
    ['gemini-pro', 3000, 3000],
    ['gemini-pro', 9000, undefined],
    ['gemini-pro', 1024, 1024],
    ['chat-bison', 1024, undefined],
  ])('of Google for %s lower %i output tokens to %s, which is omitted when it is the default', (model, given, kept) => {
    expect(parseSettings('google', { maxOutputTokens: given }, model).maxOutputTokens).toBe(kept);
  });

  it('reject less than one output token for Google', () => {
    expect(() => parseSettings('google', { maxOutputTokens: 0 }, 'gemini-pro')).toThrow('maxOutputTokens must be');
  });

  it('get the defaults of omitted values, those of the model included', () => {
    expect(withDefaults(endpointParams('google', 'gemini-pro'), { topK: 3 })).toEqual({
      temperature: 0.2,
      topP: 0.8,
      topK: 3,
      maxOutputTokens: 8192,
      pdfAsFile: false,
    });
    expect(withDefaults(endpointParams('google', 'chat-bison'), {})).toMatchObject({ maxOutputTokens: 1024 });
  });

  it('are stored without NUL and lone surrogates', () => {
    const settings = parseSettings('openAI', { promptPrefix: 'a\u0000b\ud83d', stop: ['\u0000x'] });
    expect(settings).toEqual({ promptPrefix: 'ab\ufffd', stop: ['x'] });
  });

  it('are unchanged when parsed again', () => {
    const types = Object.keys(endpointTable) as EndpointType[];
    const anyInput = fc.record(
      { temperature: fc.double({ min: 0, max: 1, noNaN: true }), promptPrefix: fc.string(), jailbreak: fc.boolean() },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.constantFrom(...types), anyInput, (type, input) => {
        const settings = parseSettings(type, input);
        expect(parseSettings(type, settings)).toEqual(settings);
      }),
    );
  });
});

/** What existing clients send, written out: minimum, maximum, step and default of every number. */
const openAINumbers: Numbers = {
  temperature: [0, 2, 0.01, 1],
  top_p: [0, 1, 0.01, 1],
  frequency_penalty: [-2, 2, 0.01, 0],
  presence_penalty: [-2, 2, 0.01, 0],
};
const googleNumbers: Numbers = { temperature: [0, 1, 0.01, 0.2], topP: [0, 1, 0.01, 0.8], topK: [1, 40, 1, 40] };
const specified: [EndpointType, string | null, Numbers][] = [
  ['openAI', 'gpt-4', openAINumbers],
  ['azureOpenAI', 'gpt-4', openAINumbers],
  ['custom', 'anything', openAINumbers],
  ['gptPlugins', 'gpt-4', { ...openAINumbers, temperature: [0, 2, 0.01, 0.8] }],
  [
    'anthropic',
    'claude-2',
    { temperature: [0, 1, 0.01, 1], topP: [0, 1, 0.01, 0.7], topK: [1, 40, 1, 5], maxOutputTokens: [1, 4000, 1, 4000] },
  ],
  ['google', 'chat-bison', { ...googleNumbers, maxOutputTokens: [1, 2048, 1, 1024] }],
  ['google', 'gemini-pro', { ...googleNumbers, maxOutputTokens: [1, 8192, 1, 8192] }],
  ['bingAI', 'BingAI', {}],
  ['chatGPTBrowser', null, {}],
  ['assistants', 'gpt-4', {}],
];
type Numbers = Record<string, [min: number, max: number, step: number, value: number]>;

describe('the bounds of parameters', () => {
  it('are those that existing clients know, for every number', () => {
    for (const [type, model, numbers] of specified) {
      const sliders = Object.entries(endpointParams(type, model)).flatMap(([name, param]) =>
        param.kind === 'slider' ? [[name, [param.min, param.max, param.step, param.default]]] : [],
      );
      expect(Object.fromEntries(sliders), type).toEqual(numbers);
    }
  });

  const rows = specified.flatMap(([type, model, numbers]) =>
    Object.entries(numbers).map(([name, [min, max, step, value]]) => ({ type, model, name, min, max, step, value })),
  );

  it.each(rows)('of $type ($model) $name: $min to $max', ({ type, model, name, min, max, step, value }) => {
    const read = (given: unknown) => parseSettings(type, { [name]: given }, model)[name];
    const kept = (given: number) => (given === value ? undefined : given);
    for (const inside of [min, max, min + step, max - step]) expect(read(inside)).toBe(kept(inside));
    expect(read(value)).toBeUndefined();
    const sentence = `${name} must be a ${step === 1 ? 'whole ' : ''}number from ${min} to ${max}`;
    const isCapped = type === 'google' && name === 'maxOutputTokens';
    expect(() => read(min - step)).toThrow(sentence);
    if (isCapped) expect(read(max + step)).toBe(kept(max));
    else expect(() => read(max + step)).toThrow(sentence);
    if (step === 1) expect(() => read(min + 0.5)).toThrow(sentence);
    for (const wrong of ['1', true, [1], Number.POSITIVE_INFINITY, Number.NaN])
      expect(() => read(wrong)).toThrow(sentence);
  });

  it.each([
    ['openAI', 'imageDetail', ['low', 'auto', 'high'], 'auto'],
    ['bingAI', 'toneStyle', ['creative', 'fast', 'balanced', 'precise'], 'creative'],
  ] as const)('of %s %s: %o', (type, name, options, value) => {
    for (const option of options)
      expect(parseSettings(type, { [name]: option })).toEqual(option === value ? {} : { [name]: option });
    expect(() => parseSettings(type, { [name]: 'other' })).toThrow(`${name} must be one of ${options.join(', ')}`);
  });

  it.each([
    ['openAI', 'resendFiles', true],
    ['anthropic', 'resendFiles', true],
    ['bingAI', 'jailbreak', false],
  ] as const)('of %s %s is %s by default', (type, name, value) => {
    expect(parseSettings(type, { [name]: value })).toEqual({});
    expect(parseSettings(type, { [name]: !value })).toEqual({ [name]: !value });
    expect(() => parseSettings(type, { [name]: 1 })).toThrow(`${name} must be true or false`);
  });

  it('apply to every text: a longer one is rejected, not cut', () => {
    for (const type of Object.keys(endpointTable) as EndpointType[])
      for (const [name, param] of Object.entries(endpointParams(type, null))) {
        if (param.kind !== 'text') continue;
        const longest = 'x'.repeat(param.max);
        expect(parseSettings(type, { [name]: longest })).toEqual({ [name]: longest });
        const sentence = `${name} takes at most ${param.max} characters`;
        expect(() => parseSettings(type, { [name]: `${longest}x` })).toThrow(sentence);
      }
  });

  it('allow four stop sequences', () => {
    const four = ['a', 'b', 'c', 'd'];
    for (const type of ['openAI', 'azureOpenAI', 'custom'] as const)
      expect(parseSettings(type, { stop: four })).toEqual({ stop: four });
  });
});

describe('the parameters of later models', () => {
  const numbers = (type: EndpointType, model: string) =>
    Object.fromEntries(
      Object.entries(endpointParams(type, model)).flatMap(([name, param]) =>
        param.kind === 'slider' ? [[name, [param.min, param.max, param.step, param.default]]] : [],
      ),
    );
  const sampling = { temperature: [0, 1, 0.01, 1], topP: [0, 1, 0.01, 0.7], topK: [1, 40, 1, 5] };

  it.each([
    ['claude-3-haiku-20240307', { ...sampling, maxOutputTokens: [1, 4000, 1, 4000] }],
    ['claude-1-100k', { ...sampling, maxOutputTokens: [1, 4000, 1, 4000] }],
    ['some-gateway-model', { ...sampling, maxOutputTokens: [1, 4000, 1, 4000] }],
    ['claude-3-5-haiku-20241022', { ...sampling, maxOutputTokens: [1, 8192, 1, 8192] }],
    [
      'claude-3-7-sonnet-latest',
      { ...sampling, maxOutputTokens: [1, 64_000, 1, 8192], thinkingBudget: [0, 32_768, 1024, 0] },
    ],
    [
      'claude-opus-4-20250514',
      { ...sampling, maxOutputTokens: [1, 32_000, 1, 8192], thinkingBudget: [0, 16_384, 1024, 0] },
    ],
    [
      'anthropic.claude-haiku-4-5-20251001-v1:0',
      { ...sampling, maxOutputTokens: [1, 64_000, 1, 8192], thinkingBudget: [0, 32_768, 1024, 0] },
    ],
    ['claude-sonnet-4-6', { ...sampling, maxOutputTokens: [1, 128_000, 1, 16_384] }],
    ['claude-opus-4-8', { maxOutputTokens: [1, 128_000, 1, 16_384] }],
    ['claude-fable-5-2', { maxOutputTokens: [1, 128_000, 1, 16_384] }],
  ])('of %s have the numbers %o', (model, expected) => {
    expect(numbers('anthropic', model)).toEqual(expected);
  });

  it.each<[EndpointType, string, string | undefined, string | undefined]>([
    ['anthropic', 'claude-sonnet-4-5', undefined, undefined],
    ['anthropic', 'claude-opus-4-6', 'none low medium high max', 'none'],
    ['anthropic', 'claude-opus-4-7', 'none low medium high xhigh max', 'none'],
    ['anthropic', 'claude-sonnet-5-5', 'auto low medium high xhigh max', 'auto'],
    ['openAI', 'gpt-4o', undefined, undefined],
    ['openAI', 'o1-mini', undefined, undefined],
    ['openAI', 'gpt-5-chat-latest', undefined, undefined],
    ['openAI', 'o3-mini', 'auto low medium high', 'auto'],
    ['azureOpenAI', 'gpt-5-mini', 'auto minimal low medium high', 'auto'],
    ['custom', 'openai/gpt-5.1', 'auto none low medium high', 'auto'],
    ['custom', 'gpt-5.4', 'auto none low medium high xhigh', 'auto'],
    ['custom', 'gpt-6-luna', 'auto none low medium high xhigh max', 'auto'],
    ['custom', 'gpt-6.2-astra', 'auto low medium high xhigh', 'auto'],
    ['custom', 'solo3', undefined, undefined],
  ])('of %s, %s: effort %s, and %s by default', (type, model, options, value) => {
    const effort = endpointParams(type, model).reasoning_effort;
    expect(effort?.kind === 'choice' ? effort.options.join(' ') : undefined).toBe(options);
    expect(effort?.default).toBe(value);
  });

  it('keep the chosen tools, each once, where the model takes any', () => {
    const tools = ['calculator', { pluginKey: 'serpapi', name: 'Search' }, 'calculator'];
    expect(parseSettings('openAI', { tools }, 'gpt-4')).toEqual({ tools: ['calculator', 'serpapi'] });
    expect(parseSettings('openAI', { tools: [] }, 'gpt-4')).toEqual({});
    expect(parseSettings('google', { tools }, 'chat-bison')).toEqual({});
    expect(parseSettings('bingAI', { tools }, null)).toEqual({});
    expect(() => parseSettings('openAI', { tools: [7] }, 'gpt-4')).toThrow('tools must be a list of keys of tools');
    const many = Array.from({ length: 65 }, (_, n) => `tool${n}`);
    expect(() => parseSettings('openAI', { tools: many }, 'gpt-4')).toThrow('tools takes at most 64 entries');
    expect(takesTools('google', 'gemini-2.5-pro')).toBe(true);
    expect(takesTools('openAI', 'gpt-3.5-turbo-instruct')).toBe(false);
  });

  it("exclude what OpenAI's reasoning models reject", () => {
    const names = Object.keys(endpointParams('custom', 'gpt-5'));
    expect(names).toEqual(['chatGptLabel', 'promptPrefix', 'reasoning_effort', 'resendFiles', 'imageDetail', 'tools']);
    expect(parseSettings('openAI', { temperature: 0.5, stop: ['END'] }, 'o3')).toEqual({});
  });

  it('reject an effort that the model does not know, and accept every other', () => {
    const sentence = 'reasoning_effort must be one of auto, minimal, low, medium, high';
    expect(() => parseSettings('openAI', { reasoning_effort: 'max' }, 'gpt-5')).toThrow(sentence);
    expect(parseSettings('openAI', { reasoning_effort: 'minimal' }, 'gpt-5')).toEqual({ reasoning_effort: 'minimal' });
    expect(parseSettings('openAI', { reasoning_effort: 'auto' }, 'gpt-5')).toEqual({});
    expect(parseSettings('openAI', { reasoning_effort: 'max' }, 'gpt-4')).toEqual({});
  });

  it('leave room for an answer and its reasoning, up to the maximum of the model', () => {
    const reserve = (model: string, settings = {}) => replyReserveOf('anthropic', model, settings);
    expect(reserve('claude-sonnet-4-5')).toBe(8192);
    expect(reserve('claude-sonnet-4-5', { thinkingBudget: 2048, maxOutputTokens: 1000 })).toBe(3048);
    expect(reserve('claude-opus-4-1', { thinkingBudget: 16_384, maxOutputTokens: 32_000 })).toBe(32_000);
    expect(reserve('claude-2', { maxOutputTokens: 100 })).toBe(100);
  });
});

describe('settings for another model', () => {
  const gemini = endpointParams('google', 'gemini-pro');
  const bison = endpointParams('google', 'chat-bison');

  it('are lowered to its bounds, and omit its defaults', () => {
    expect(fitToModel(bison, { maxOutputTokens: 4000, topK: 3 })).toEqual({ maxOutputTokens: 2048, topK: 3 });
    expect(fitToModel(gemini, { maxOutputTokens: 4000 })).toEqual({ maxOutputTokens: 4000 });
    expect(fitToModel(bison, { maxOutputTokens: 1024 })).toEqual({});
    expect(fitToModel(gemini, { maxOutputTokens: 9000 })).toEqual({});
  });

  it('equal those the server makes of them', () => {
    const anySettings = fc.record({
      maxOutputTokens: fc.integer({ min: 1, max: 9000 }),
      topK: fc.integer({ min: 1, max: 40 }),
      promptPrefix: fc.string({ maxLength: 5 }),
    });
    fc.assert(
      fc.property(anySettings, fc.constantFrom('gemini-pro', 'chat-bison'), (settings, model) => {
        expect(fitToModel(endpointParams('google', model), settings)).toEqual(parseSettings('google', settings, model));
      }),
    );
  });

  it('have no unknown option', () => {
    const gpt5 = endpointParams('openAI', 'gpt-5');
    expect(fitToModel(gpt5, { reasoning_effort: 'xhigh' })).toEqual({});
    expect(fitToModel(gpt5, { reasoning_effort: 'low' })).toEqual({ reasoning_effort: 'low' });
  });

  it('change by one value, and omit one that is the default', () => {
    expect(withSetting(bison, { topK: 3 }, 'topP', 0.5)).toEqual({ topK: 3, topP: 0.5 });
    expect(withSetting(bison, { topK: 3, topP: 0.5 }, 'topP', 0.8)).toEqual({ topK: 3 });
    expect(withSetting(bison, { topK: 3 }, 'topK', undefined)).toEqual({});
  });
});

function attempt(act: () => unknown): { error: unknown } {
  try {
    act();
    return { error: null };
  } catch (error) {
    return { error };
  }
}

function exampleOf(input: string, output: string) {
  return { input: { content: input }, output: { content: output } };
}
