import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseEnv as parseDotenv } from 'node:util';
import { loadConfig } from '@parley/server/load-config';
import { NAMES } from '@parley/server/config/env/env';
import { withoutPaths } from '@parley/server/config/yaml/without-effect';
import { pathText, valueAt, type Path } from '@parley/server/config/yaml/yaml-path';
import { yamlSchema } from '@parley/server/config/yaml/yaml-schema';
import { joinEnvRows } from '@parley/server/providers/endpoints-config';
import { PLUGIN_VARIABLES } from '@parley/server/plugins/manifest';
import { SITES } from '@parley/server/auth/oauth/sites/sites';
import { STORES } from '@parley/server/files/stores/stores';
import { PROVIDERS } from '@parley/server/providers/providers';
import { expect, test } from 'vitest';
import { parseDocument } from 'yaml';

const FIXTURES = resolve(import.meta.dirname, '../../fixtures/librechat-settings');

async function load(version: string, env: Record<string, string> = {}) {
  const cwd = await mkdtemp(join(tmpdir(), 'parley-librechat-settings-'));
  try {
    await writeFile(join(cwd, '.env'), await readFile(join(FIXTURES, `${version}.env`)));
    await writeFile(join(cwd, 'librechat.yaml'), await readFile(join(FIXTURES, `${version}.yaml`)));
    // The certificate that they name is not on this machine.
    return await loadConfig({ env: { LDAP_CA_CERT_PATH: '', ...env }, cwd });
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

const off = (name: string, index: number, variable: string) =>
  `The endpoint "${name}" is off: in librechat.yaml, endpoints.custom[${index}].apiKey refers to \${${variable}}, but the environment variable ${variable} is not set.`;

/** In the example files of both versions. */
const idle = [
  'CREDS_IV has no effect since CREDS_KEY alone encrypts what is kept.',
  'LOGIN_VIOLATION_SCORE, REGISTRATION_VIOLATION_SCORE have no effect since LOGIN_MAX and REGISTER_MAX limit these attempts, which never count as violations.',
  'MESSAGE_USER_MAX, MESSAGE_USER_WINDOW have no effect without LIMIT_MESSAGE_USER=true.',
  'DISCORD_CALLBACK_URL, FACEBOOK_CALLBACK_URL, GITHUB_CALLBACK_URL, GOOGLE_CALLBACK_URL, OPENID_CALLBACK_URL, OPENID_SCOPE have no effect without ALLOW_SOCIAL_LOGIN=true.',
  'EMAIL_FROM, EMAIL_PORT have no effect without EMAIL_SERVICE or EMAIL_HOST.',
];

const cache = 'In librechat.yaml, cache has no effect here: lists of models are always kept for some minutes.';
const ignored = (key: string) => `In librechat.yaml, interface.${key} is not a known setting and is ignored.`;

test('settings of version 0.7.1 start unchanged; what has no effect is reported once', async () => {
  const config = await load('0.7.1');
  expect(config.startup.appTitle).toBe('Chats');
  expect(config.endpoints.custom).toEqual([]);
  expect(config.warnings).toEqual([
    'MONGO_URI is not read: Parley keeps its data in PostgreSQL, see DATABASE_URL.',
    'MEILI_HOST, MEILI_MASTER_KEY, MEILI_NO_ANALYTICS are not read: Parley searches in PostgreSQL.',
    'DEBUG_LOGGING, DEBUG_PLUGINS are not read: LOG_LEVEL=debug logs more.',
    ...idle,
    off('groq', 0, 'GROQ_API_KEY'),
    off('Mistral', 1, 'MISTRAL_API_KEY'),
    off('OpenRouter', 2, 'OPENROUTER_KEY'),
    cache,
  ]);
});

test('settings of version 0.7.5 start unchanged; keys of features that Parley lacks are reported once', async () => {
  const config = await load('0.7.5', { GROQ_API_KEY: 'k' });
  expect(config.endpoints.custom.map(({ name }) => name)).toEqual(['groq']);
  expect(config.warnings).toEqual([
    'MONGO_URI is not read: Parley keeps its data in PostgreSQL, see DATABASE_URL.',
    'REDIS_URI, USE_REDIS are not read: Parley needs no Redis, processes tell each other through PostgreSQL.',
    'MEILI_HOST, MEILI_MASTER_KEY, MEILI_NO_ANALYTICS are not read: Parley searches in PostgreSQL.',
    'DEBUG_LOGGING, DEBUG_PLUGINS are not read: LOG_LEVEL=debug logs more.',
    ...idle,
    'In librechat.yaml, version "1.1.7" is newer than 1.0.7, by which it was read.',
    off('Mistral', 1, 'MISTRAL_API_KEY'),
    off('OpenRouter', 2, 'OPENROUTER_KEY'),
    'The endpoint "Portkey" is off: in librechat.yaml, endpoints.custom[3].headers.x-portkey-api-key refers to ${PORTKEY_API_KEY}, but the environment variable PORTKEY_API_KEY is not set.',
    cache,
    ...['modalAcceptance', 'modalTitle'].map((key) => ignored(`termsOfService.${key}`)),
    ...['endpointsMenu', 'modelSelect', 'parameters', 'sidePanel', 'presets', 'prompts'].map(ignored),
    ...['bookmarks', 'multiConvo'].map(ignored),
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
  const names = ['SAML_ISSUER', 'BEDROCK_AWS_DEFAULT_REGION', 'TTS_USER_MAX'];
  const { warnings } = await load('0.7.5', Object.fromEntries(names.map((name) => [name, 'set'])));
  for (const name of names) expect(warnings.filter((line) => line.startsWith(`${name} is not read`))).toHaveLength(1);
});

const FULL = ['0.7.1-full', '0.7.5-full', '0.8.8-full'];

test.each(FULL)('settings of version %s start, and each variable is read or said', async (version) => {
  const { warnings } = await load(version);
  const read = { ...NAMES, ...joinEnvRows([...PROVIDERS, ...STORES, ...SITES, { env: PLUGIN_VARIABLES }]) };
  const set = parseDotenv(await readFile(join(FIXTURES, `${version}.env`), 'utf8'));
  const said = warnings.join('\n');
  const silent = Object.entries(set).filter(
    ([name, value]) => value !== '' && value !== 'false' && !Object.hasOwn(read, name) && !said.includes(name),
  );
  expect(silent).toEqual([]);
  expect(new Set(warnings).size).toBe(warnings.length);
});

test.each(FULL)('sections of version %s that have no effect are said, each once', async (version) => {
  const { warnings } = await load(version);
  const document = parseDocument(await readFile(join(FIXTURES, `${version}.yaml`), 'utf8')).toJS() as object;
  const missing = Object.keys(document).filter((name) => !Object.hasOwn(yamlSchema.shape, name));
  for (const name of missing)
    expect(warnings.filter((line) => line.startsWith(`In librechat.yaml, ${name} has no effect here`))).toHaveLength(1);
});

test('words of version 0.8.8 for stores, sites and title methods are left out and reported', async () => {
  const { files, startup, mcp, warnings } = await load('0.8.8-full');
  expect(files.strategy).toBe('local');
  expect(startup.socialLogins).toEqual(['github', 'google', 'openid']);
  expect(mcp.servers.map(({ name }) => name)).toEqual(['everything', 'files']);
  for (const [place, what] of [
    ['fileStrategy', 'Parley has no azure_blob'],
    ['registration.socialLogins[1]', 'Parley has no apple'],
    ['registration.socialLogins[3]', 'Parley has no saml'],
    ['endpoints.custom[0].titleMethod', 'Parley has no structured'],
    ['mcpServers.socket', 'a server with a url is called by http or https'],
  ])
    expect(warnings).toContain(`In librechat.yaml, ${place} has no effect here: ${what}.`);
});

test('a key of a known provider that no endpoint uses is reported with what to do', async () => {
  const { warnings } = await load('0.7.1-full');
  const keys = warnings.find((line) => line.includes('GROQ_API_KEY'));
  expect(keys).toContain('not used: an endpoint in endpoints.custom of the yaml file uses a key by its name');
  const { warnings: ofUsed } = await load('0.7.1', { GROQ_API_KEY: 'k', MISTRAL_API_KEY: 'k' });
  expect(ofUsed.join('\n')).not.toContain('GROQ_API_KEY is not used');
});

test('a registration without a mail is reported where the settings ask for one', async () => {
  const { warnings } = await load('0.7.5', { ALLOW_UNVERIFIED_EMAIL_LOGIN: 'false' });
  expect(warnings.join('\n')).toContain('ALLOW_UNVERIFIED_EMAIL_LOGIN=false has no effect');
});

test('Gemini blocks what the variables of version 0.7.5 say, and Vertex is asked where they say', async () => {
  const { endpoints } = await load('0.7.5-full');
  expect(endpoints.google).toMatchObject({
    location: 'europe-west4',
    safety: [
      { category: 'HARM_CATEGORY_SEXUALLY_EXPLICIT', threshold: 'BLOCK_ONLY_HIGH' },
      { category: 'HARM_CATEGORY_HATE_SPEECH', threshold: 'BLOCK_LOW_AND_ABOVE' },
      { category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' },
      { category: 'HARM_CATEGORY_DANGEROUS_CONTENT', threshold: 'OFF' },
      { category: 'HARM_CATEGORY_CIVIC_INTEGRITY', threshold: 'BLOCK_NONE' },
    ],
  });
  const { endpoints: without } = await load('0.8.8-full');
  expect(without.google).toMatchObject({ safety: [] });
});

test('model specs are offered in their order; those of endpoints that are not there are off', async () => {
  const { modelSpecs, warnings } = await load('0.7.5-full');
  expect(modelSpecs).toMatchObject({ enforce: false, prioritize: true, addedEndpoints: [] });
  expect(modelSpecs?.list).toMatchObject([
    {
      name: 'meeting-notes',
      label: 'Meeting notes',
      description: 'Writes the minutes of a meeting.',
      iconURL: 'https://example.com/notes.png',
      startsChats: 'always',
      endpoint: 'openAI',
      model: 'gpt-4o',
    },
  ]);
  expect(warnings).toContain('In librechat.yaml, modelSpecs.list[1] is off: the endpoint "bedrock" is not offered.');
  expect(warnings).toContain(
    'In librechat.yaml, modelSpecs.list[0].preset has fields without effect here: maxContextTokens, greeting.',
  );
});

/** The configuration of a file with these sections, and what is said of it. */
async function loadYaml(yaml: string, env: Record<string, string> = {}) {
  const cwd = await mkdtemp(join(tmpdir(), 'parley-librechat-settings-'));
  try {
    await writeFile(join(cwd, 'librechat.yaml'), `version: 1.3.15\n${yaml}`);
    return await loadConfig({ env: { OPENAI_API_KEY: 'k', ...env }, cwd });
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

test('models of version 0.8 that are maps of a name and a description are offered by their names', async () => {
  const { endpoints, warnings } = await loadYaml(
    'endpoints:\n  custom:\n    - { name: Own, apiKey: k, baseURL: "https://own.example/v1", models: { default: [{ name: fast, description: Quick }, slow] } }\n',
  );
  expect(endpoints.custom).toMatchObject([{ name: 'Own', models: { default: ['fast', 'slow'] } }]);
  expect(warnings).toContain(
    'In librechat.yaml, endpoints.custom[0].models.default[0].description is not a known setting and is ignored.',
  );
});

test('a tool server with a variable that is not set is off, and the others start', async () => {
  const { mcp, warnings } = await loadYaml(
    'mcpServers:\n  lost: { url: "https://a.example/mcp", headers: { Authorization: "Bearer ${LOST_KEY}" } }\n  kept: { command: npx, env: { KEY: "${KEPT_KEY}" } }\n',
    { KEPT_KEY: 'v' },
  );
  expect(mcp.servers.map(({ name }) => name)).toEqual(['kept']);
  expect(warnings).toContain(
    'The tool server "lost" is off: in librechat.yaml, mcpServers.lost.headers.Authorization refers to ${LOST_KEY}, but the environment variable LOST_KEY is not set.',
  );
});

test('a header with something of a person in it is not sent as it stands, and the others are', async () => {
  const { mcp, endpoints, warnings } = await loadYaml(
    'mcpServers:\n  a: { url: "https://a.example/mcp", headers: { X-User: "{{LIBRECHAT_USER_ID}}", X-Team: blue } }\n' +
      'endpoints:\n  custom:\n    - { name: Own, apiKey: k, baseURL: "https://own.example/v1", models: { default: [m] }, headers: { X-Mail: "<{{ LIBRECHAT_USER_EMAIL }}>" } }\n',
  );
  expect(mcp.servers[0]?.target).toMatchObject({ headers: { 'X-Team': 'blue' } });
  expect(JSON.stringify([mcp, endpoints])).not.toContain('LIBRECHAT_USER');
  for (const place of ['mcpServers.a.headers.X-User', 'endpoints.custom[0].headers.X-Mail'])
    expect(warnings.filter((line) => line.startsWith(`In librechat.yaml, ${place} has no effect here`))).toHaveLength(
      1,
    );
});

test('specs that are enforced, of which none is offered, leave all models', async () => {
  const yaml =
    'modelSpecs:\n  enforce: true\n  list:\n    - { name: a, preset: { endpoint: agents, agent_id: agent_1 } }\n';
  const { modelSpecs, warnings } = await loadYaml(yaml);
  expect(modelSpecs).toMatchObject({ enforce: false, list: [] });
  expect(warnings).toContain(
    'In librechat.yaml, modelSpecs.enforce has no effect: no spec of the list is offered, so all models are.',
  );
  const some = await loadYaml(`${yaml}    - { name: b, preset: { endpoint: openAI, model: m } }\n`);
  expect(some.modelSpecs).toMatchObject({ enforce: true, list: [{ name: 'b' }] });
});

test('the file turns off what it can, and the rest is reported; variables come first', async () => {
  const yaml =
    'interface: { sharedLinks: { create: false }, agents: { share: false }, runCode: false, webSearch: false, presets: false, customWelcome: Hi }\n' +
    'balance: { enabled: true, startBalance: 100, refillAmount: 5 }\n';
  const { accounts, interpreter, tools, startup, warnings } = await loadYaml(yaml);
  expect(accounts).toMatchObject({ allowSharedLinks: false, allowSharedAssistants: false });
  expect(interpreter.isOn).toBe(false);
  expect(tools.filter.filteredTools).toEqual(['web_search', 'web_page']);
  expect(startup.checkBalance).toBe(true);
  for (const place of ['interface.presets', 'interface.customWelcome', 'balance.startBalance', 'balance.refillAmount'])
    expect(warnings.filter((line) => line.startsWith(`In librechat.yaml, ${place} `))).toHaveLength(1);
  const chosen = await loadYaml(yaml, { ALLOW_SHARED_LINKS: 'true', INTERPRETER: 'on', CHECK_BALANCE: 'false' });
  expect(chosen.accounts.allowSharedLinks).toBe(true);
  expect(chosen.interpreter.isOn).toBe(true);
  expect(chosen.startup.checkBalance).toBe(false);
});

test.each(FULL)(
  'each setting of version %s changes the configuration, or the start says that it has no effect',
  async (version) => {
    const tree = parseDocument(await readFile(join(FIXTURES, `${version}.yaml`), 'utf8')).toJS() as object;
    const env = parseDotenv(await readFile(join(FIXTURES, `${version}.env`), 'utf8'));
    // Where there is a variable, it comes first.
    for (const name of ['ALLOW_SHARED_LINKS', 'ALLOW_SHARED_LINKS_PUBLIC', 'CHECK_BALANCE']) delete env[name];
    const cwd = await mkdtemp(join(tmpdir(), 'parley-librechat-settings-'));
    const read = async (yaml: object) => {
      await writeFile(join(cwd, 'librechat.yaml'), JSON.stringify(yaml));
      const { warnings, ...config } = await loadConfig({ env: { ...env, LDAP_CA_CERT_PATH: '' }, cwd });
      return { config: JSON.stringify(config), said: warnings.join('\n') };
    };
    try {
      const whole = await read(tree);
      const silent: string[] = [];
      for (const path of leavesOf(tree)) {
        if (path.some((_, at) => whole.said.includes(`${pathText(path.slice(0, at + 1))} `))) continue;
        // What the file cannot be without has an effect, and so has what is the default, if another value has.
        const without = await read(withoutPaths(tree, [path]) as object).catch(() => null);
        const changed = await read(withOther(tree, path)).catch(() => null);
        if ([without, changed].every((one) => one?.config === whole.config)) silent.push(pathText(path));
      }
      // Of this list one spec is offered, which has no order.
      expect(silent.filter((place) => place !== 'modelSpecs.list[0].order')).toEqual([]);
    } finally {
      await rm(cwd, { recursive: true, force: true });
    }
  },
);

/** Where values are that have no others within; a list of words is one. */
function leavesOf(value: unknown, path: Path = []): Path[] {
  const isInner = typeof value === 'object' && value !== null;
  if (!isInner || (Array.isArray(value) && value.every((one) => typeof one !== 'object'))) return [path];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return keys.flatMap((key) => leavesOf(Reflect.get(value, key), [...path, key]));
}

/** With another value of the same kind there. */
function withOther(tree: object, path: Path): object {
  const copy = structuredClone(tree);
  const value = valueAt(copy, path);
  const other = typeof value === 'boolean' ? !value : typeof value === 'number' ? value + 1 : `${String(value)}x`;
  Reflect.set(Object(valueAt(copy, path.slice(0, -1))) as object, path.at(-1) ?? '', other);
  return copy;
}
