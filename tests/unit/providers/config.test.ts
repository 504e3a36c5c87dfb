// What the operator writes to offer an endpoint, and the sentences for what cannot be meant.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '@parley/server/load-config';
import { isConfigError } from '@parley/server/config/config-error';
import { describeEndpoints } from '@parley/server/catalog/endpoint-status';
import { offersNothing } from '@parley/server/catalog/registry';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../../support/folders.ts';
import { serviceKeyFile } from '../../support/service-key.ts';

type Env = Record<string, string>;

function load(env: Env, yaml?: string, cwd = createFolder()) {
  if (yaml !== undefined) writeFileSync(join(cwd, 'parley.yaml'), `version: 1.0.7\n${yaml}`);
  return loadConfig({ env, cwd });
}

async function sentenceOf(env: Env): Promise<string> {
  const error: unknown = await load(env).then(
    () => null,
    (failure: unknown) => failure,
  );
  if (!isConfigError(error)) throw new Error('expected a ConfigError', { cause: error });
  return error.message;
}

const groups = `
endpoints:
  azureOpenAI:
    groups: [{ group: a, apiKey: k, instanceName: i, deploymentName: d, version: '1', models: { gpt-4: true } }]
`;

describe('Anthropic', () => {
  it('is on with its key', async () => {
    const { endpoints } = await load({
      ANTHROPIC_API_KEY: 'k',
      ANTHROPIC_REVERSE_PROXY: 'https://gateway.example/anthropic/',
      ANTHROPIC_MODELS: 'claude-3-opus-20240229,claude-2',
      ANTHROPIC_TITLE_MODEL: 'claude-2',
    });
    expect(endpoints.anthropic).toEqual({
      enabled: true,
      order: 7,
      key: { from: 'server', apiKey: 'k' },
      baseURL: 'https://gateway.example/anthropic',
      models: ['claude-3-opus-20240229', 'claude-2'],
      forcePrompt: false,
      cachesPrompts: true,
      titles: { enabled: true, method: 'completion', model: { use: 'named', name: 'claude-2' } },
    });
  });

  it.each<Env>([{}, { ANTHROPIC_API_KEY: 'k', ENDPOINTS: 'openAI' }])('is off with %j', async (env) => {
    expect((await load(env)).endpoints.anthropic).toEqual({ enabled: false });
  });
});

describe('Google', () => {
  it('is on with an API key, or with keys of users', async () => {
    const { endpoints } = await load({ GOOGLE_KEY: 'k', GOOGLE_MODELS: 'gemini-pro' });
    expect(endpoints.google).toMatchObject({
      enabled: true,
      order: 3,
      keys: { from: 'server', apiKey: 'k', serviceKey: undefined },
      models: ['gemini-pro'],
    });
    expect((await load({ GOOGLE_KEY: 'user_provided' })).endpoints.google).toMatchObject({ keys: { from: 'user' } });
    expect((await load({})).endpoints.google).toEqual({ enabled: false });
  });

  it('is on with the key file of a service account, in the data folder or elsewhere', async () => {
    const cwd = createFolder();
    mkdirSync(join(cwd, 'data'));
    const file = JSON.stringify(serviceKeyFile('https://oauth2.googleapis.com/token'));
    writeFileSync(join(cwd, 'data/auth.json'), file);
    writeFileSync(join(cwd, 'other.json'), file);
    const keys = { from: 'server', apiKey: undefined, serviceKey: { projectId: 'parley-test' } };
    expect((await load({}, undefined, cwd)).endpoints.google).toMatchObject({ keys });
    const named = { GOOGLE_SERVICE_KEY_FILE: 'other.json', DATA_DIR: 'elsewhere' };
    expect((await load(named, undefined, cwd)).endpoints.google).toMatchObject({ keys });
  });

  it('stops the start with a missing or invalid key file', async () => {
    expect(await sentenceOf({ GOOGLE_SERVICE_KEY_FILE: '/nowhere/key.json' })).toBe(
      'GOOGLE_SERVICE_KEY_FILE must be a readable file, but /nowhere/key.json cannot be read (ENOENT).',
    );
    const good = serviceKeyFile('https://oauth2.googleapis.com/token');
    const bad = [
      '{',
      '{}',
      JSON.stringify({ ...good, project_id: 'ab' }),
      JSON.stringify({ ...good, private_key: 'x' }),
    ];
    for (const text of bad) {
      const path = join(createFolder(), 'key.json');
      writeFileSync(path, text);
      expect(await sentenceOf({ GOOGLE_SERVICE_KEY_FILE: path })).toBe(
        'GOOGLE_SERVICE_KEY_FILE must be the JSON key file of a Google service account, with client_email, project_id and private_key.',
      );
    }
  });
});

describe('Azure in the environment', () => {
  const whole = {
    AZURE_API_KEY: 'k',
    AZURE_OPENAI_API_INSTANCE_NAME: 'west',
    AZURE_OPENAI_API_DEPLOYMENT_NAME: 'main',
    AZURE_OPENAI_API_VERSION: '2024-02-01',
  };
  const { AZURE_OPENAI_API_INSTANCE_NAME: _instance, ...noInstance } = whole;
  const { AZURE_OPENAI_API_DEPLOYMENT_NAME: _deployment, ...noDeployment } = whole;
  const { AZURE_OPENAI_API_VERSION: _version, ...noVersion } = whole;
  const { AZURE_API_KEY: _key, ...noKey } = whole;

  it('is on with its four variables, by either name of the key', async () => {
    const { endpoints } = await load({ ...noKey, AZURE_OPENAI_API_KEY: 'k' });
    expect(endpoints.azureOpenAI).toMatchObject({
      enabled: true,
      order: 2,
      models: undefined,
      places: {
        from: 'environment',
        deployment: { apiKey: 'k', instanceName: 'west', deploymentName: 'main', version: '2024-02-01' },
        isNamedByModel: false,
      },
    });
    expect((await load(noKey)).endpoints.azureOpenAI).toEqual({ enabled: false });
  });

  it("needs no other variable with users' keys", async () => {
    const { endpoints } = await load({ AZURE_API_KEY: 'user_provided' });
    expect(endpoints.azureOpenAI).toMatchObject({ enabled: true, places: { from: 'user' } });
  });

  it('lists its default model first', async () => {
    const models = { AZURE_OPENAI_MODELS: 'gpt-4,gpt-3.5-turbo', AZURE_OPENAI_DEFAULT_MODEL: 'gpt-3.5-turbo' };
    const { endpoints } = await load({ ...whole, ...models });
    expect(endpoints.azureOpenAI).toMatchObject({ models: ['gpt-3.5-turbo', 'gpt-4'] });
  });

  it.each<[Env, string]>([
    [noInstance, 'AZURE_API_KEY is set, so AZURE_OPENAI_API_INSTANCE_NAME must be set, too.'],
    [
      noDeployment,
      'AZURE_API_KEY is set, so AZURE_OPENAI_API_DEPLOYMENT_NAME must be set, or AZURE_USE_MODEL_AS_DEPLOYMENT_NAME be true.',
    ],
    [noVersion, 'AZURE_API_KEY is set, so AZURE_OPENAI_API_VERSION must be set, too.'],
    [
      { ...noInstance, AZURE_OPENAI_BASEURL: 'https://${INSTANCE_NAME}.example' },
      'AZURE_API_KEY is set, so AZURE_OPENAI_API_INSTANCE_NAME must be set, too.',
    ],
    [
      { ...whole, AZURE_OPENAI_API_INSTANCE_NAME: 'west.example.com/' },
      'AZURE_OPENAI_API_INSTANCE_NAME must be letters, digits and -.',
    ],
    [
      { ...whole, AZURE_OPENAI_API_DEPLOYMENT_NAME: '..' },
      'AZURE_OPENAI_API_DEPLOYMENT_NAME must be letters, digits and . _ -.',
    ],
    [
      { ...whole, AZURE_OPENAI_API_DEPLOYMENT_NAME: '../main' },
      'AZURE_OPENAI_API_DEPLOYMENT_NAME must be letters, digits and . _ -.',
    ],
    [
      { ...whole, AZURE_OPENAI_BASEURL: '${INSTANCE_NAME}' },
      'AZURE_OPENAI_BASEURL must be an http(s) address, in which ${INSTANCE_NAME} and ${DEPLOYMENT_NAME} may stand.',
    ],
  ])('stops the start with %j', async (env, sentence) => {
    expect(await sentenceOf(env)).toBe(sentence);
  });

  it.each<Env>([
    { ...noDeployment, AZURE_USE_MODEL_AS_DEPLOYMENT_NAME: 'true' },
    { AZURE_API_KEY: 'k', AZURE_OPENAI_API_VERSION: '1', AZURE_OPENAI_BASEURL: 'https://gateway.example/azure' },
  ])('is complete with %j', async (env) => {
    expect((await load(env)).endpoints.azureOpenAI).toMatchObject({ enabled: true });
  });

  it('is replaced by the groups of the yaml file, with a warning', async () => {
    const { endpoints, warnings } = await load(whole, groups);
    expect(endpoints.azureOpenAI).toMatchObject({ models: ['gpt-4'], places: { from: 'groups' } });
    expect(warnings).toEqual([
      'AZURE_API_KEY, AZURE_OPENAI_API_DEPLOYMENT_NAME, AZURE_OPENAI_API_INSTANCE_NAME, AZURE_OPENAI_API_VERSION have no effect since endpoints.azureOpenAI of the yaml file is set.',
    ]);
  });
});

describe('summaries', () => {
  it('are configured for each endpoint', async () => {
    const custom = '[{ name: A, apiKey: k, baseURL: https://a.example, summarize: true, models: { default: [a] } }]';
    const group = '{ group: g, apiKey: k, instanceName: i, deploymentName: d, version: v, models: { gpt-4: true } }';
    const azure = `{ summarize: true, summaryModel: gpt-4, groups: [${group}] }`;
    const env = { OPENAI_API_KEY: 'k', OPENAI_SUMMARIZE: 'true', OPENAI_SUMMARY_MODEL: 'gpt-3.5-turbo' };
    const { endpoints, warnings } = await load(env, `endpoints: { custom: ${custom}, azureOpenAI: ${azure} }`);
    expect(warnings).toEqual([]);
    expect(endpoints.openAI).toMatchObject({ summaries: { enabled: true, model: 'gpt-3.5-turbo' } });
    expect(endpoints.azureOpenAI).toMatchObject({ summaries: { enabled: true, model: 'gpt-4' } });
    expect(endpoints.custom).toMatchObject([{ summaries: { enabled: true, model: undefined } }]);
  });

  it('are off by default', async () => {
    const { endpoints } = await load({ OPENAI_API_KEY: 'k', OPENAI_SUMMARY_MODEL: 'gpt-4' });
    expect(endpoints.openAI).toMatchObject({ summaries: { enabled: false } });
  });
});

describe('a start', () => {
  it('reports what is ready, what waits for keys, and why the rest is off', async () => {
    const env = { OPENAI_API_KEY: 'k', GOOGLE_KEY: 'user_provided', ENDPOINTS: 'openAI,google,azureOpenAI' };
    expect(describeEndpoints(await load(env))).toBe(
      'openAI is ready; assistants is off: ENDPOINTS leaves it out; ' +
        'azureOpenAI is off: neither AZURE_API_KEY nor endpoints.azureOpenAI of the yaml file is set; ' +
        'google is ready for users who bring a key; ' +
        'anthropic is off: ENDPOINTS leaves it out; ' +
        'bingAI is off: ENDPOINTS leaves it out; ' +
        'chatGPTBrowser is off: ENDPOINTS leaves it out; ' +
        'gptPlugins is off: ENDPOINTS leaves it out',
    );
  });

  it.each<[boolean, Env, string?]>([
    [true, {}],
    [true, { ENDPOINTS: 'openAI', ANTHROPIC_API_KEY: 'k' }],
    [false, { ANTHROPIC_API_KEY: 'k' }],
    [false, { GOOGLE_KEY: 'user_provided' }],
    [false, { BINGAI_TOKEN: '_U=1; SRCHD=AF' }],
    [true, { BINGAI_HOST: 'https://bing.example' }],
    [false, { CHATGPT_TOKEN: 'user_provided' }],
    [false, {}, groups],
  ])('offers nothing: %s with %j', async (nothing, env, yaml) => {
    expect(offersNothing(await load(env, yaml))).toBe(nothing);
  });

  it.each([
    ['', 'http://127.0.0.1:11434'],
    ['off', null],
    ['http://gpu.example:11434/', 'http://gpu.example:11434'],
  ])('looks for Ollama by OLLAMA_URL=%s at %s', async (given, url) => {
    expect((await load({ OLLAMA_URL: given })).endpoints.ollamaURL).toBe(url);
  });
});
