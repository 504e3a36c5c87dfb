// Where each protocol carries the summary of what the model is not shown.
import type { Settings } from '@parley/schema/catalog/params';
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import type { ChatMessage } from '@parley/server/providers/provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hear, openEndpoints, type Setup } from '../../support/endpoints.ts';

let provider: FakeProvider;

beforeAll(async () => {
  provider = await startFakeProvider();
});
afterAll(() => provider.close());

const summary = 'What was said before, in short:\nAlice likes owls.';
const settings = { promptPrefix: 'Be brief.' };
const messages: ChatMessage[] = [
  { role: 'user', content: 'And geese?' },
  { role: 'assistant', content: 'Less so.' },
  { role: 'user', content: 'Why?' },
];

describe('a summary', () => {
  it('stands in the place of the omitted messages', async () => {
    const body = await bodyOf(openAI(), 'openAI', 'gpt-4');
    expect(body.messages).toEqual([
      { role: 'system', content: summary },
      ...messages.slice(0, 2),
      { role: 'system', name: 'instructions', content: 'Instructions:\nBe brief.' },
      ...messages.slice(2),
    ]);
  });

  it('stands alone without instructions', async () => {
    const body = await bodyOf(custom('Mistral'), 'Mistral', 'one', {});
    expect(body.messages).toEqual([{ role: 'system', content: summary }, ...messages]);
  });

  it('shares the first message with the instructions when only one system message is allowed', async () => {
    const content = `Instructions:\nBe brief.\n\n${summary}`;
    const body = await bodyOf(custom('Perplexity'), 'Perplexity', 'one');
    expect(body.messages).toEqual([{ role: 'system', content }, ...messages]);
  });

  it('is part of the prompt of older models', async () => {
    const { prompt } = await bodyOf(openAI(), 'openAI', 'gpt-3.5-turbo-instruct');
    expect(prompt).toContain(`||>Instructions:\n${summary}\n\n||>User:\nAnd geese?`);
  });

  it('is part of the preamble of Cohere', async () => {
    const body = await bodyOf(custom('cohere'), 'cohere', 'one');
    expect(body).toMatchObject({ preamble: `Be brief.\n\n${summary}`, message: 'Why?' });
  });
});

function openAI(): Setup {
  return { env: { OPENAI_API_KEY: 'k', OPENAI_REVERSE_PROXY: `${provider.url}/v1` } };
}

function custom(name: string): Setup {
  const entry = `name: ${name}, apiKey: k, baseURL: ${provider.url}/v1, models: { default: [one] }`;
  return { yaml: `endpoints:\n  custom:\n    - { ${entry} }\n` };
}

async function bodyOf(setup: Setup, endpoint: string, model: string, over: Settings = settings) {
  const asked = { endpoint, model, messages, summary, settings: over };
  const heard = await hear(await openEndpoints(setup), asked);
  expect(heard.reason).toBeNull();
  return provider.requests.at(-1)?.body as { messages?: unknown; prompt?: string };
}
