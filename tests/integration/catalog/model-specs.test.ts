// What the operator offers by names of its own: who gets it, and what is refused where nothing else is offered.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { question } from '../../support/exchange.ts';
import { reasonOfRefusal } from '../auth/browser.ts';
import { openEndpoints } from '../../support/endpoints.ts';
import { openTestServices, type TestServices } from '../../support/services.ts';

const SPECS = (rules: string) => `modelSpecs:
  ${rules}
  list:
    - name: minutes
      label: Minutes
      description: Of a meeting
      preset: { endpoint: openAI, model: gpt-4-special, temperature: 0.2, modelLabel: Secretary, maxTokens: 5 }
    - { name: chat, preset: { endpoint: anthropic } }
`;
const env = {
  OPENAI_API_KEY: 'k',
  OPENAI_MODELS: 'gpt-4,gpt-3.5-turbo',
  ANTHROPIC_API_KEY: 'k',
  ANTHROPIC_MODELS: 'claude-2,claude-3',
  GOOGLE_KEY: 'k',
  GOOGLE_MODELS: 'gemini-pro',
};

async function offered(rules: string) {
  const endpoints = (await openEndpoints({ env, yaml: SPECS(rules) })).list();
  const lists = endpoints.map(async ({ name, models }) => [name, await models('alice')]);
  return Object.fromEntries(await Promise.all(lists));
}

test('a model that a spec names is offered beside the others of its endpoint', async () => {
  expect(await offered('enforce: false')).toMatchObject({
    openAI: ['gpt-4', 'gpt-3.5-turbo', 'gpt-4-special'],
    google: ['gemini-pro'],
  });
});

test('enforced specs leave only their models, and whole endpoints that are added', async () => {
  expect(await offered('enforce: true')).toEqual({ openAI: ['gpt-4-special'], anthropic: ['claude-2', 'claude-3'] });
  expect(await offered('enforce: true\n  addedEndpoints: [google]')).toMatchObject({ google: ['gemini-pro'] });
});

let services: TestServices;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-specs-'));
  writeFileSync(join(folder, 'parley.yaml'), `version: 1.1.7\n${SPECS('enforce: true')}`);
  services = await openTestServices({ CONFIG_PATH: join(folder, 'parley.yaml') });
});
afterAll(async () => {
  await services?.close();
  rmSync(folder, { recursive: true, force: true });
});

test('specs come with the settings of their presets; what startup says shows that there are some', async () => {
  const { api } = await services.as('alice');
  expect(await api.presets.specs()).toEqual({
    enforce: true,
    prioritize: true,
    addedEndpoints: [],
    list: [
      {
        name: 'minutes',
        label: 'Minutes',
        description: 'Of a meeting',
        endpoint: 'openAI',
        model: 'gpt-4-special',
        settings: { temperature: 0.2, chatGptLabel: 'Secretary' },
      },
    ],
  });
  expect((await api.endpoints.startup()).modelSpecsEnabled).toBe(true);
});

test('an ask for another model or endpoint is refused where specs are enforced', async () => {
  const { api } = await services.as('bob');
  const ask = (endpoint: string, model: string) => api.messages.ask(question('Hello', { endpoint, model }));
  expect(await reasonOfRefusal(ask('openAI', 'gpt-3.5-turbo'))).toMatchObject({ type: 'illegal_model_request' });
  expect(await reasonOfRefusal(ask('google', 'gemini-pro'))).toMatchObject({ type: 'not_found' });
  await ask('openAI', 'gpt-4-special');
});
