import { endpointTable, paramsOf, withDefaults, type EndpointType } from '@parley/schema/endpoints';
import { parseSettings } from '@parley/schema/settings';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

describe('settings', () => {
  it('keep what differs from the default, and nothing else', () => {
    expect(parseSettings('openAI', { temperature: 1, top_p: 0.5, stop: [], promptPrefix: '' })).toEqual({ top_p: 0.5 });
  });

  it('take null and absence for the default', () => {
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
    ['openAI', { imageDetail: 'huge' }, 'imageDetail must be one of low, auto, high'],
    ['openAI', { promptPrefix: 5 }, 'promptPrefix must be a text'],
    ['openAI', { promptPrefix: 'x'.repeat(32_769) }, 'promptPrefix takes at most 32768 characters'],
    ['google', { examples: 'none' }, 'examples must be a list of examples'],
    ['google', { topK: 41 }, 'topK must be a whole number from 1 to 40'],
    ['google', { topK: 1.5 }, 'topK must be a whole number from 1 to 40'],
  ])('of %s refuse %o with a sentence', (type, input, sentence) => {
    expect(() => parseSettings(type, input)).toThrow(sentence);
  });

  it.each([
    ['chat-bison', 3000, 2048],
    ['chat-bison', 2048, 2048],
    ['gemini-pro', 3000, 3000],
    ['gemini-pro', 9000, undefined],
    ['gemini-pro', 1024, 1024],
    ['chat-bison', 1024, undefined],
  ])(
    'of Google for %s lower %i output tokens to %s, which is left out where it is the default',
    (model, given, kept) => {
      expect(parseSettings('google', { maxOutputTokens: given }, model).maxOutputTokens).toBe(kept);
    },
  );

  it('of Google refuse less than one output token', () => {
    expect(() => parseSettings('google', { maxOutputTokens: 0 }, 'gemini-pro')).toThrow('maxOutputTokens must be');
  });

  it('have the defaults of what was left out, those of the model included', () => {
    expect(withDefaults(paramsOf('google', 'gemini-pro'), { topK: 3 })).toEqual({
      temperature: 0.2,
      topP: 0.8,
      topK: 3,
      maxOutputTokens: 8192,
    });
    expect(withDefaults(paramsOf('google', 'chat-bison'), {})).toMatchObject({ maxOutputTokens: 1024 });
  });

  it('with NUL and half a pair can be stored', () => {
    const settings = parseSettings('openAI', { promptPrefix: 'a\u0000b\ud83d', stop: ['\u0000x'] });
    expect(settings).toEqual({ promptPrefix: 'ab\ufffd', stop: ['x'] });
  });

  it('parsed again are the same', () => {
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
