import { messageText } from '@parley/schema/messages/messages';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, question } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

/** Long beside the 100 ms between keep-alives, so that they come in time also on a busy machine. */
const timeouts = { STREAM_FIRST_TIMEOUT: '4000', STREAM_IDLE_TIMEOUT: '4000', STREAM_QUIET_TIMEOUT: '12000' };
const keys = {
  ANTHROPIC_API_KEY: 'k',
  ANTHROPIC_REVERSE_PROXY: '${FAKE_PROVIDER}',
  BINGAI_TOKEN: 'u-1',
  BINGAI_HOST: '${FAKE_PROVIDER}',
  CHATGPT_TOKEN: 't-1',
  CHATGPT_REVERSE_PROXY: '${FAKE_PROVIDER}/backend-api/conversation',
};
/** One of each way in which answers are read. Not Gemini by a key: its official client gives up at a keep-alive. */
const models = [
  ['openAI', 'gpt-4'],
  ['anthropic', 'claude-sonnet-5'],
  ['bingAI', 'BingAI'],
  ['chatGPTBrowser', 'gpt-4'],
];

let services: TestServices;
let alice: Person;

beforeAll(async () => {
  services = await openTestServices({ ...timeouts, ...keys });
  alice = await services.as('alice');
});
afterAll(() => services.close());

describe('a provider that sends keep-alives', () => {
  it.concurrent.each(models)('may think for longer than one may be silent: %s', async (endpoint, model) => {
    const asked = question('[[keep-alives:45]] Think well', { endpoint, model });
    const { reply } = await exchange(services, alice.id, asked);
    expect(reply.reason).toBeNull();
    expect(messageText(reply)).toContain('Think well');
  });

  it.concurrent.each(models)('and nothing else is cut off in the end: %s', async (endpoint, model) => {
    const { reply } = await exchange(services, alice.id, question('[[keep-alives]] Go on', { endpoint, model }));
    expect(reply).toMatchObject({ reason: { type: 'provider_stalled', seconds: 12 }, parts: [] });
  });

  it.concurrent.each(models)('after some words is cut off, and the words stay: %s', async (endpoint, model) => {
    const { reply } = await exchange(services, alice.id, question('[[stall-alive]] Go on', { endpoint, model }));
    expect(reply.reason).toEqual({ type: 'provider_stalled', seconds: 12 });
    expect(messageText(reply)).not.toBe('');
  });
});
