import { APIError as AnthropicError } from '@anthropic-ai/sdk';
import { failureIn } from '@parley/server/providers/compatible/read-failure';
import { reasonOfFailure } from '@parley/server/providers/failure';
import { describe, expect, it } from 'vitest';
import { ask, said, eventStream } from './stranger.ts';

const MEMORY = 'model requires more system memory (20.1 GiB) than is available (7.6 GiB)';

const SHAPES: [shape: string, body: unknown, text: string][] = [
  ['a text as the error', { error: MEMORY }, MEMORY],
  ['a message in the error', { error: { message: MEMORY, type: 'x' } }, MEMORY],
  ['a list of details', { detail: [{ type: 'missing', loc: ['body', 'messages'], msg: MEMORY }] }, MEMORY],
  ['two details', { detail: [{ msg: 'One.' }, { msg: 'Two.' }] }, 'One. Two.'],
  ['a text as the detail', { detail: MEMORY }, MEMORY],
  ['an object as the detail', { detail: { message: MEMORY } }, MEMORY],
  ['a message', { object: 'error', message: MEMORY, code: 40_303 }, MEMORY],
  ['details in the message', { object: 'error', message: { detail: [{ msg: MEMORY, loc: ['body', 'x'] }] } }, MEMORY],
  ['a list of errors', { success: false, errors: [{ code: 7, message: MEMORY }] }, MEMORY],
  ['a list around the error', [{ error: { code: 400, message: MEMORY, status: 'INVALID' } }], MEMORY],
  ['a description', { error: 'invalid', error_description: MEMORY }, MEMORY],
  ['a problem', { type: 'about:blank', title: 'Bad', detail: MEMORY }, MEMORY],
  ['JSON in the message', { error: { message: JSON.stringify({ error: { message: MEMORY } }) } }, MEMORY],
  [
    'a cause behind a gateway',
    { error: { message: 'Provider returned error', metadata: { raw: MEMORY } } },
    `Provider returned error: ${MEMORY}`,
  ],
  ['plain text', MEMORY, MEMORY],
  [
    'a page',
    `<!DOCTYPE html><html><head><title>\n Just a moment &amp; wait</title></head></html>`,
    'Just a moment & wait',
  ],
  ['a page with a heading', '<html><body><h1>Bad Gateway</h1></body></html>', 'Bad Gateway'],
];

const asText = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body));

describe('the sentence of a server that fails', () => {
  it.each(SHAPES)('a sentence is read from %s', async (_, body, text) => {
    expect(failureIn(asText(body)).text).toBe(text);
    for (const status of [400, 403, 404, 422, 429, 401, 402, 500, 503]) {
      const { reason } = await ask(() => ({ status, text: asText(body) }));
      expect(reason).toMatchObject({ text });
    }
  });

  // Of an event with `error`, the client passes on that field only.
  it.each(SHAPES.filter(([, body]) => typeof body === 'object' && !('error_description' in Object(body))))(
    'is read from an event of the stream with %s',
    async (_, body, text) => {
      const told = await ask(`${eventStream(said('Half'))}data: ${JSON.stringify(body)}\n\n`);
      expect(told).toMatchObject({ text: 'Half', reason: { text } });
    },
  );

  it.each([
    ['an event of plain text', `event: error\ndata: ${MEMORY}\n\n`],
    ['a field of its own', `error: {"code":500,"message":"${MEMORY}","type":"server_error"}\n\n`],
    [
      'a choice',
      eventStream({
        choices: [{ index: 0, delta: {}, finish_reason: 'error', error: { code: 502, message: MEMORY } }],
      }),
    ],
  ])('is read from %s in a stream', async (_, event) => {
    expect(await ask(eventStream(said('Half')) + event)).toMatchObject({ text: 'Half', reason: { text: MEMORY } });
  });

  it('a sentence is read from a response with status 200 that holds an error', async () => {
    const told = await ask(() => ({ text: JSON.stringify({ error: MEMORY }), type: 'application/json' }));
    expect(told.reason).toMatchObject({ type: 'provider_unavailable', text: MEMORY });
  });

  it('a sentence does not repeat the key', async () => {
    const target = { apiKey: 'sk-secret-of-the-operator' } as never;
    const { reason } = await ask(() => ({ status: 401, text: '{"error":"Bad key sk-secret-of-the-operator"}' }), {
      target,
    });
    expect(reason).toEqual({ type: 'invalid_api_key', endpoint: 'Stranger', text: 'Bad key …' });
  });

  it('a sentence is absent where the server says nothing', async () => {
    expect((await ask(() => ({ status: 503, text: '' }))).reason).toEqual({
      type: 'provider_unavailable',
      status: 503,
    });
  });
});

it('an answer that is not streamed is read whole', async () => {
  const body = { choices: [{ index: 0, message: { role: 'assistant', content: 'Whole.' }, finish_reason: 'stop' }] };
  expect(await ask(() => ({ text: JSON.stringify(body, null, 1), type: 'application/json' }))).toMatchObject({
    text: 'Whole.',
    finish: 'stop',
    reason: null,
  });
  const stream = eventStream(said('Streamed.'), { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
  expect(await ask(() => ({ text: stream, type: 'application/json' }))).toMatchObject({
    text: 'Streamed.',
    finish: 'stop',
  });
});

it.each([
  'This model requires moderation. Your input was flagged for "violence".',
  'The model gpt-9 does not exist or you do not have access to it.',
  'Country, region, or territory not supported',
  'Your API key does not have permission to use the specified resource.',
  'Your project does not have access to this model.',
  '<html><head><title>Attention Required! | Cloudflare</title></head></html>',
  'Forbidden',
])('a refusal with 403 is no wrong key: %s', async (message) => {
  const text = message.startsWith('<')
    ? message
    : JSON.stringify({ error: { code: 403, message, metadata: { reasons: ['x'] } } });
  expect((await ask(() => ({ status: 403, text }))).reason).toMatchObject({ type: 'provider_refused', status: 403 });
});

it.each([
  ['Invalid API key'],
  ['API key not valid. Please pass a valid API key.'],
  ['Incorrect API key provided: sk-fake.'],
  ['Not authenticated'],
  ['The access token has expired'],
  ['Please use API Key or other form of API consumer identity to call this API.'],
  ['No credentials were provided'],
  ['x', 'invalid_api_key'],
  ['x', 'authentication_error'],
])('a refusal with 403 is a wrong key where it says so: %s', async (message, code?: string) => {
  const text = JSON.stringify({ error: { message, code } });
  expect((await ask(() => ({ status: 403, text }))).reason).toMatchObject({ type: 'invalid_api_key', text: message });
});

it('Anthropic’s refusal for a permission is no wrong key', () => {
  const message = 'Your API key does not have permission to use the specified resource.';
  const body = { type: 'error', error: { type: 'permission_error', message } };
  const error = AnthropicError.generate(403, body, undefined, new Headers());
  expect(reasonOfFailure(error, 'anthropic')).toEqual({ type: 'provider_refused', status: 403, text: message });
});
