// A research by each kind of provider that takes tools, over its own protocol.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exchange } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { startWeb, type FakeWeb } from '../../support/tools/fake-web.ts';
import { readReport, researchAsk, started, listStepCalls } from './asks.ts';

let services: TestServices;
let web: FakeWeb;
let alice: Person;

beforeAll(async () => {
  web = await startWeb();
  services = await openTestServices({
    OPENAI_MODELS: 'gpt-4,gpt-5',
    ANTHROPIC_API_KEY: 'fake',
    ANTHROPIC_REVERSE_PROXY: '${FAKE_PROVIDER}',
    ANTHROPIC_MODELS: 'claude-sonnet-4-6',
    GOOGLE_KEY: 'fake',
    GOOGLE_REVERSE_PROXY: '${FAKE_PROVIDER}',
    GOOGLE_MODELS: 'gemini-2.5-pro',
    SEARXNG_URL: web.url,
    EGRESS_ALLOWED_HOSTS: '127.0.0.1',
    TITLE_CONVO: 'false',
    TOOL_CALLS_PER_MINUTE: '10000',
  });
  alice = await services.as('alice');
});
afterAll(async () => {
  await services.close();
  await web.close();
});

it.each([
  ['openAI', 'gpt-4'],
  ['openAI', 'gpt-5'],
  ['anthropic', 'claude-sonnet-4-6'],
  ['google', 'gemini-2.5-pro'],
])('%s plans, looks up and reports with %s', async (endpoint, model) => {
  const planned = await exchange(services, alice.id, researchAsk('steps=3,more', { endpoint, model }));
  const { reply } = await exchange(services, alice.id, { ...started(planned), endpoint, model });
  expect(reply).toMatchObject({ finishReason: 'stop', reason: null });
  expect(listStepCalls(reply).map(({ state }) => state)).toEqual(['done', 'done', 'done', 'done']);
  expect(readReport(reply)).toContain('42 of them');
  expect(readReport(reply)).toContain(web.url);
});
