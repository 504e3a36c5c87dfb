import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { loadConfig } from '@parley/server/config';
import { expect, test } from 'vitest';

const FIXTURES = resolve(import.meta.dirname, '../../fixtures/librechat-settings');

async function load(version: string, env: Record<string, string> = {}) {
  const cwd = await mkdtemp(join(tmpdir(), 'parley-librechat-settings-'));
  try {
    await writeFile(join(cwd, '.env'), await readFile(join(FIXTURES, `${version}.env`)));
    await writeFile(join(cwd, 'librechat.yaml'), await readFile(join(FIXTURES, `${version}.yaml`)));
    return await loadConfig({ env, cwd });
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

const off = (name: string, index: number, variable: string) =>
  `The endpoint "${name}" is off: in librechat.yaml, endpoints.custom[${index}].apiKey refers to \${${variable}}, but the environment variable ${variable} is not set.`;

const ignored = (key: string) => `In librechat.yaml, interface.${key} is not a known setting and is ignored.`;

test('settings of version 0.7.1 start unchanged; what has no effect is reported once', async () => {
  const config = await load('0.7.1');
  expect(config.startup.appTitle).toBe('Chats');
  expect(config.endpoints.custom).toEqual([]);
  expect(config.warnings).toEqual([
    'MONGO_URI is not read: Parley keeps its data in PostgreSQL, see DATABASE_URL.',
    'MEILI_HOST, MEILI_MASTER_KEY, MEILI_NO_ANALYTICS are not read: Parley searches in PostgreSQL.',
    'DEBUG_LOGGING, DEBUG_PLUGINS are not read: LOG_LEVEL=debug logs more.',
    off('groq', 0, 'GROQ_API_KEY'),
    off('Mistral', 1, 'MISTRAL_API_KEY'),
    off('OpenRouter', 2, 'OPENROUTER_KEY'),
  ]);
});

test('settings of version 0.7.5 start unchanged; keys of features that Parley lacks are reported once', async () => {
  const config = await load('0.7.5', { GROQ_API_KEY: 'k' });
  expect(config.endpoints.custom.map(({ name }) => name)).toEqual(['groq']);
  expect(config.warnings).toEqual([
    'MONGO_URI is not read: Parley keeps its data in PostgreSQL, see DATABASE_URL.',
    'USE_REDIS, REDIS_URI are not read: Parley needs no Redis, processes tell each other through PostgreSQL.',
    'MEILI_HOST, MEILI_MASTER_KEY, MEILI_NO_ANALYTICS are not read: Parley searches in PostgreSQL.',
    'DEBUG_LOGGING, DEBUG_PLUGINS are not read: LOG_LEVEL=debug logs more.',
    'In librechat.yaml, version "1.1.7" is newer than 1.0.7, by which it was read.',
    off('Mistral', 1, 'MISTRAL_API_KEY'),
    off('OpenRouter', 2, 'OPENROUTER_KEY'),
    'The endpoint "Portkey" is off: in librechat.yaml, endpoints.custom[3].headers.x-portkey-api-key refers to ${PORTKEY_API_KEY}, but the environment variable PORTKEY_API_KEY is not set.',
    ...['modalAcceptance', 'modalTitle'].map((key) => ignored(`termsOfService.${key}`)),
    ...['endpointsMenu', 'modelSelect', 'parameters', 'sidePanel', 'presets', 'prompts'].map(ignored),
    ...['bookmarks', 'multiConvo', 'agents'].map(ignored),
  ]);
});

test('endpoints of version 0.7.5 that Parley lacks are left out and reported once', async () => {
  const config = await load('0.7.5', { ENDPOINTS: 'agents,openAI,bedrock,azureAssistants,agents,custom' });
  expect(config.endpoints.offered).toEqual(['openAI', 'custom']);
  expect(config.warnings).toContain(
    'ENDPOINTS leaves out agents, bedrock, azureAssistants: Parley has no such endpoints.',
  );
});

test('features of version 0.7.5 that are set up and missing here are reported once', async () => {
  const names = ['LDAP_URL', 'BEDROCK_AWS_DEFAULT_REGION', 'STT_API_KEY', 'TTS_API_KEY'];
  const { warnings } = await load('0.7.5', Object.fromEntries(names.map((name) => [name, 'set'])));
  for (const name of names) expect(warnings.filter((line) => line.startsWith(`${name} is not read`))).toHaveLength(1);
});
