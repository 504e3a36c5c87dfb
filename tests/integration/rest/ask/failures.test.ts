import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import {
  createdOf,
  errorOf,
  finalOf,
  followUp,
  question,
  signUp,
  textsOf,
  type Client,
} from '../../../support/rest/client.ts';

const FAILED = 'An error occurred while processing your request. Please contact the administrator.';

const yaml = `
version: 1.0.7
endpoints:
  custom:
    - { name: Own key, apiKey: user_provided, baseURL: https://example.com, models: { default: [some] } }
    - { name: Own address, apiKey: fake, baseURL: user_provided, models: { default: [some] } }
`;

let server: TestServer;
let alice: Client;

beforeAll(async () => {
  server = await startTestServer({ yaml, env: { STREAM_FIRST_TIMEOUT: '5000', STREAM_IDLE_TIMEOUT: '5000' } });
  alice = await signUp(server.url, 'alice');
});
afterAll(() => server.close());

describe('a failure before any text', () => {
  it.each([
    ['error-401', '{"type":"invalid_api_key"}'],
    ['quota', '{"type":"insufficient_quota"}'],
    ['error-429', FAILED],
    ['error-500', FAILED],
    ['error-503', FAILED],
    ['html-502', FAILED],
    ['html-200', FAILED],
    ['cut:0', FAILED],
    ['silent', FAILED],
    ['empty', FAILED],
  ])('%s is an error message, saved as it was shown', async (scenario, text) => {
    const frames = await alice.ask(question(`[[${scenario}]]`, { model: 'gpt-4' }));
    const { messageId, conversationId } = createdOf(frames);
    expect(frames).toHaveLength(2);
    expect(errorOf(frames)).toMatchObject({
      text,
      error: true,
      final: true,
      parentMessageId: messageId,
      conversationId,
    });
    expect((await alice.messages(conversationId)).at(-1)).toMatchObject({ text, error: true, unfinished: false });
  });

  it('says by how much a question is too long', async () => {
    const frames = await alice.ask(question('[[context-too-long]]', { model: 'gpt-4' }));
    expect(errorOf(frames).text).toBe('The message has 9001 tokens, more than the 8192 that the model takes.');
  });
});

describe('a failure after the first words', () => {
  it.each(['cut', 'truncated', 'error-midstream', 'malformed', 'stall'])(
    '%s ends as a stopped answer',
    async (scenario) => {
      const frames = await alice.ask(question(`[[${scenario}]]`, { model: 'gpt-4' }));
      const final = finalOf(frames);
      expect(final.responseMessage).toMatchObject({ finish_reason: 'incomplete', error: false, unfinished: false });
      expect(final.responseMessage.text.length).toBeGreaterThan(5);
      expect(final.responseMessage.text).toBe(textsOf(frames).at(-1)?.text);
      expect(finalOf(await alice.ask(followUp('Are you there?', final))).responseMessage.text).toBe('Are you there?');
    },
  );
});

describe('a missing key', () => {
  it.each([
    ['Own key', 'no_user_key'],
    ['Own address', 'no_base_url'],
  ])('of %s is an error message of the known type', async (endpoint, type) => {
    const body = question('Hi', { endpoint, endpointType: 'custom', model: 'some' });
    const frames = await alice.ask(body, 'custom');
    expect(frames).toHaveLength(1);
    expect(errorOf(frames)).toMatchObject({
      text: JSON.stringify({ type }),
      parentMessageId: body.messageId,
      error: true,
    });
  });
});
