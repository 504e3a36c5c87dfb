// Answers as people have reported them, byte for byte, of servers that speak OpenAI's protocol loosely.
import { describe, expect, it } from 'vitest';
import answers from '../../../fixtures/loose-answers.json' with { type: 'json' };
import { ask, type Told } from './stranger.ts';

const tools = [{ name: 'calculator', description: 'Computes.', parameters: { type: 'object', properties: {} } }];

const EXPECTED: Partial<Record<keyof typeof answers, Partial<Told> | Record<string, unknown>>> = {
  'thoughts between tags': { reasoning: 'Eight heads, so.', text: 'Three rabbits.', finish: 'stop', reason: null },
  'thoughts with a closing tag only': {
    reasoning: 'The user wants a greeting.',
    text: 'Hello there.',
    finish: 'stop',
    reason: null,
  },
  'thoughts between cut tags': { reasoning: 'secret', text: 'Answer: 5', finish: 'stop', reason: null },
  'an error as the finish word': { text: 'Half an answer that brea', reason: { type: 'provider_broke_off' } },
  'a length in capitals': { text: 'One two three', finish: 'length', reason: null },
  'no finish word': { text: 'Whole answer.', finish: 'stop', reason: null },
  'an event without data': { text: 'After it.', finish: 'stop', reason: null },
  'the name of a tool with white space': { calls: [{ name: 'calculator', input: '{"input":"2+2"}' }] },
  'the name of a tool with a prefix': { calls: [{ name: 'calculator', input: '{"input":"2+2"}' }] },
  citations: {
    text: 'Paris[1].',
    calls: [{ name: 'provider_web_search', output: '[1] A\nhttps://example.org/a' }],
    finish: 'stop',
    reason: null,
  },
  'reasoning in another field': { reasoning: 'Step one.', text: 'Nine.', finish: 'stop', reason: null },
};

describe('a reported answer', () => {
  it.each(Object.entries(EXPECTED))('has what it means: %s', async (name, expected) => {
    const told = await ask(answers[name as keyof typeof answers], name.includes('tool') ? { tools } : {});
    expect(told).toMatchObject(expected);
  });

  it.each([
    [
      500,
      { error: 'model requires more system memory (20.1 GiB) than is available (7.6 GiB)' },
      'provider_unavailable',
    ],
    [500, { error: { message: 'CUDA error: out of memory' } }, 'provider_unavailable'],
    [422, { detail: [{ type: 'missing', loc: ['body', 'messages'], msg: 'Field required' }] }, 'provider_refused'],
    [
      403,
      { error: { code: 403, message: 'This model requires moderation.', metadata: { reasons: ['violence'] } } },
      'provider_refused',
    ],
    [403, { error: { message: 'The model `x` does not exist.', code: 'model_not_found' } }, 'provider_refused'],
    [403, { error: { message: 'Country, region, or territory not supported' } }, 'provider_refused'],
    [
      403,
      { type: 'error', error: { type: 'permission_error', message: 'Your organization may not use this model.' } },
      'provider_refused',
    ],
    [403, '<!DOCTYPE html><title>Attention Required! | Cloudflare</title>', 'provider_refused'],
    [403, { error: { message: 'Your API key was revoked.' } }, 'invalid_api_key'],
    [401, { error: { message: 'Who are you?' } }, 'invalid_api_key'],
  ])('that fails with %i %j has its sentence', async (status, body, type) => {
    const { reason } = await ask(() => ({ status, text: typeof body === 'string' ? body : JSON.stringify(body) }));
    expect(reason).toMatchObject({ type });
    const sentence = /[A-Z][^"<>]{8,}/.exec(JSON.stringify(body).replace('<!DOCTYPE html>', ''))?.[0];
    expect(JSON.stringify(reason)).toContain(sentence);
  });
});
