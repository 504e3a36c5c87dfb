import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseEnv as parseDotenv } from 'node:util';
import { VERSION } from '@parley/schema/catalog/startup';
import { loadConfig } from '@parley/server/load-config';
import type { Config } from '@parley/server/config/config';
import { evaluateArithmetic } from '@parley/server/config/env/arithmetic';
import { showsBirthdayIcon } from '@parley/server/config/parts/birthday';
import { BUILT_IN_ENDPOINTS, ENDPOINT_WORDS } from '@parley/server/config/endpoint-names';
import { isConfigError } from '@parley/server/config/config-error';
import { NAMES } from '@parley/server/config/env/env';
import { joinEnvRows } from '@parley/server/providers/endpoints-config';
import { PLUGIN_VARIABLES } from '@parley/server/plugins/manifest';
import { SITES } from '@parley/server/auth/oauth/sites/sites';
import { STORES } from '@parley/server/files/stores/stores';
import { PROVIDERS } from '@parley/server/providers/providers';
import { loadSecrets } from '@parley/server/config/parts/secrets';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../../..');
const HEX = 'ab'.repeat(32);

let cwd: string;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'parley-config-'));
});

afterEach(() => rm(cwd, { recursive: true, force: true }));

type Files = Record<string, string>;

async function load(env: Record<string, string> = {}, files: Files = {}): Promise<Config> {
  for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text);
  return loadConfig({ env, cwd });
}

async function refusalOf(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  if (!isConfigError(error)) throw new Error('expected a ConfigError', { cause: error });
  expect(error.message).toMatch(/^[^\n]+[.]$/);
  return error.message;
}

function envRefusal(env: Record<string, string>): Promise<string> {
  return refusalOf(load(env));
}

/** The yaml is given as it stands after the version line. */
function yamlRefusal(yaml: string, env: Record<string, string> = {}): Promise<string> {
  return refusalOf(load(env, { 'parley.yaml': `version: 1.0.7\n${yaml}` }));
}

function loadYaml(yaml: string, env: Record<string, string> = {}): Promise<Config> {
  return load(env, { 'parley.yaml': `version: 1.0.7\n${yaml}` });
}

function custom(entry: string): string {
  const rest = { name: 'Groq', apiKey: 'k', baseURL: 'https://groq.example/v1', models: '{ default: [a] }' };
  const given = new Set(entry.split('\n').map((line) => line.split(':')[0]));
  const missing = Object.entries(rest).flatMap(([key, value]) => (given.has(key) ? [] : [`${key}: ${value}`]));
  const lines = [...entry.split('\n').filter(Boolean), ...missing];
  return `endpoints:\n  custom:\n    - ${lines.join('\n      ')}\n`;
}

function azure(...groups: string[]): string {
  return `endpoints:\n  azureOpenAI:\n    groups:\n${groups.map((group) => `      - ${group}\n`).join('')}`;
}

describe('without a configuration file', () => {
  test('the defaults work', async () => {
    const config = await load();
    expect(config).toMatchObject({
      server: {
        host: 'localhost',
        port: 3080,
        dataDir: join(cwd, 'data'),
        domainClient: 'http://localhost:3080',
        domainServer: 'http://localhost:3080',
        trustProxy: 0,
        noIndex: true,
      },
      log: { level: 'info', json: false },
      database: { kind: 'embedded' },
      birthdayIcon: 'on-the-day',
      accounts: {
        sessionExpiryMs: 900_000,
        refreshExpiryMs: 604_800_000,
        registration: null,
        allowedDomains: [],
        socialRegistration: false,
        sites: [],
        allowResetLink: false,
      },
      endpoints: {
        openAI: { enabled: false },
        azureOpenAI: { enabled: false },
        google: { enabled: false },
        anthropic: { enabled: false },
        custom: [],
        ollamaURL: 'http://127.0.0.1:11434',
      },
      limits: {
        login: { max: 7, windowInMinutes: 5 },
        register: { max: 5, windowInMinutes: 60 },
        reset: { max: 10, windowInMinutes: 60 },
        messagesPerIp: { enabled: false },
        messagesPerUser: { enabled: false },
        concurrentMessages: { enabled: false },
        uploadsPerIp: { max: 100, windowInMinutes: 15 },
        uploadsPerUser: { max: 50, windowInMinutes: 15 },
      },
      bans: { enabled: false, durationMs: 7_200_000, interval: 20 },
      moderation: { enabled: false },
      mail: { enabled: false },
      files: { strategy: 'local', imageOutputType: 'png' },
      search: { enabled: true },
      warnings: [],
    });
    expect(config.bans.scores.nonBrowser).toBeUndefined();
    expect(config.endpoints.offered).toEqual(BUILT_IN_ENDPOINTS);
    // The order that existing clients know; later endpoints stand behind.
    expect(config.endpoints.offered.slice(0, 8)).toEqual([
      'openAI',
      'assistants',
      'azureOpenAI',
      'google',
      'bingAI',
      'chatGPTBrowser',
      'gptPlugins',
      'anthropic',
    ]);
  });

  test('visitors get these facts', async () => {
    expect((await load()).startup).toEqual({
      appTitle: 'Parley',
      version: VERSION,
      socialLogins: ['google', 'facebook', 'openid', 'github', 'discord'],
      discordLoginEnabled: false,
      facebookLoginEnabled: false,
      githubLoginEnabled: false,
      googleLoginEnabled: false,
      openidLoginEnabled: false,
      openidLabel: 'Continue with OpenID',
      openidImageUrl: undefined,
      serverDomain: 'http://localhost:3080',
      emailLoginEnabled: true,
      registrationEnabled: true,
      socialLoginEnabled: false,
      emailEnabled: false,
      checkBalance: false,
      helpAndFaqURL: '/',
    });
  });

  test('the yaml parser is not loaded', async () => {
    const loaded = await runTypeScript(`
      import Module from 'node:module';
      import { loadConfig } from '${ROOT}/server/src/load-config.ts';
      await loadConfig({ env: {}, cwd: ${JSON.stringify(cwd)} });
      console.log(Object.keys(Module._cache).filter((path) => path.includes('node_modules/yaml/')).length);
    `);
    expect(loaded).toBe('0');
  });
});

describe('the tree', () => {
  test('is deeply frozen', async () => {
    const config = await loadYaml(custom('addParams: { stop: [x] }'));
    const frozen: unknown[] = [
      config,
      config.server,
      config.startup.socialLogins,
      config.endpoints.custom[0]?.addParams.stop,
      config.warnings,
      config.env,
    ];
    expect(frozen.map((value) => Object.isFrozen(value))).toEqual(frozen.map(() => true));
  });

  test('hides the environment when it is printed or copied', async () => {
    const config = await load({ GROQ_API_KEY: 'gsk-hidden' });
    expect(config.env.GROQ_API_KEY).toBe('gsk-hidden');
    expect(Object.keys(config)).not.toContain('env');
    expect(JSON.stringify({ ...config })).not.toContain('gsk-hidden');
  });
});

describe('.env', () => {
  test('has a lower priority than the real environment', async () => {
    const dotenv = 'PORT=4000\nAPP_TITLE="Two words"\nSESSION_EXPIRY=1000 * 60 # a minute\nCUSTOM_FOOTER=below\n';
    const config = await load({ PORT: '5000', CUSTOM_FOOTER: '' }, { '.env': `\uFEFF${dotenv}` });
    expect(config.server.port).toBe(5000);
    expect(config.startup).toMatchObject({ appTitle: 'Two words', customFooter: '' });
    expect(config.accounts.sessionExpiryMs).toBe(60_000);
  });

  test('must be a file', async () => {
    await mkdir(join(cwd, '.env'));
    expect(await envRefusal({})).toBe('.env cannot be read (EISDIR); it must be a readable file, or absent.');
  });

  test('has an example that names every variable and is valid', async () => {
    const example = await readFile(join(ROOT, '.env.example'), 'utf8');
    const given = example.replace(/^# (?=[A-Z][A-Z_0-9]*=)/gm, '');
    const { GROQ_API_KEY, CONFIG_PATH, ...variables } = parseDotenv(given);
    expect([GROQ_API_KEY, CONFIG_PATH]).toEqual(['', 'parley.yaml']);
    expect([...Object.keys(variables), 'CONFIG_PATH'].toSorted()).toEqual(
      Object.keys({
        ...NAMES,
        ...joinEnvRows([...PROVIDERS, ...STORES, ...SITES, { env: PLUGIN_VARIABLES }]),
      }).toSorted(),
    );
    await expect(load({}, { '.env': given.replace('CONFIG_PATH=', 'X=') })).resolves.toBeDefined();
  });

  test('has an example whose values are the defaults', async () => {
    const example = await readFile(join(ROOT, '.env.example'), 'utf8');
    const samples =
      /^(DATABASE_URL|PROXY|ALLOW_REGISTRATION|CONFIG_PATH|CUSTOM_FOOTER|RETENTION_\w+|OPENAI_MODELS|OPENAI_TITLE_MODEL|OPENAI_REVERSE_PROXY|ASSISTANTS_MODELS|ENDPOINTS|NON_BROWSER_VIOLATION_SCORE)=.*$/gm;
    const given = example.replace(/^# (?=[A-Z][A-Z_0-9]*=)/gm, '').replace(samples, '');
    const { warnings, ...config } = await load({}, { '.env': given });
    const { warnings: none, ...defaults } = await load({}, { '.env': '' });
    expect(config).toEqual(defaults);
    // What is said of a default is only that nothing needs it.
    expect(warnings.filter((line) => !/ no effect (?:since|without) /.test(line))).toEqual(none);
  });
});

describe('a variable', () => {
  test.each(['yes', '1', 'on', 'truee'])(
    'that turns something on does so with the word true only: %s',
    async (word) => {
      const { startup, warnings } = await load({ ALLOW_REGISTRATION: word });
      expect(startup.registrationEnabled).toBe(false);
      expect(warnings).toEqual(['ALLOW_REGISTRATION is off: only the word true turns it on.']);
    },
  );

  const refusals: [name: string, value: string, sentence: string][] = [
    ['PORT', '65536', 'PORT must be a whole number from 0 to 65535, but is "65536".'],
    ['PORT', '3080x', 'PORT must be a whole number from 0 to 65535, but is "3080x".'],
    ['PORT', '-1', 'PORT must be a whole number from 0 to 65535, but is "-1".'],
    ['TRUST_PROXY', 'true', 'TRUST_PROXY must be a whole number from 0 to 32, but is "true".'],
    ['CREDS_KEY_OLD', `${'a'.repeat(64)},abc`, 'CREDS_KEY_OLD must be 64 hex digits.'],
    [
      'EGRESS_ALLOWED_HOSTS',
      'gpu.lan:80, http://gpu.lan',
      'EGRESS_ALLOWED_HOSTS must be a comma list of host names, each with or without a port, but is "http://gpu.lan".',
    ],
    [
      'SESSION_EXPIRY',
      '15 minutes',
      'SESSION_EXPIRY must be from 1000 to 2592000000, as a number or arithmetic such as 1000 * 60 * 15, but is "15 minutes".',
    ],
    [
      'BAN_INTERVAL',
      '1 / 0',
      'BAN_INTERVAL must be from 1 to 1000000, as a number or arithmetic such as 1000 * 60 * 15, but is "1 / 0".',
    ],
    ['LOGIN_MAX', '0', 'LOGIN_MAX must be a whole number from 1 to 1000000, but is "0".'],
    ['EMAIL_PORT', '0', 'EMAIL_PORT must be a whole number from 1 to 65535, but is "0".'],
    ['EMAIL_ENCRYPTION', 'ssl', 'EMAIL_ENCRYPTION must be one of tls, starttls, but is "ssl".'],
    ['EMAIL_HOST', 'smtp://mail.example.com', 'EMAIL_HOST must be the name or the address of a host.'],
    ['EMAIL_HOST', 'mail.example.com:25', 'EMAIL_HOST must be the name or the address of a host.'],
    ['EMAIL_FROM', 'Parley <parley@example.com>', 'EMAIL_FROM must be one e-mail address and nothing else.'],
    ['EMAIL_FROM', 'a@example.com,b@example.com', 'EMAIL_FROM must be one e-mail address and nothing else.'],
    ['EMAIL_FROM_NAME', 'Parley\nBcc: eve@example.com', 'EMAIL_FROM_NAME must be one line.'],
    [
      'EMAIL_SERVICE',
      'our own',
      'EMAIL_SERVICE must be a service known by name, such as gmail; for any other give EMAIL_HOST.',
    ],
    ['LOG_LEVEL', 'loud', 'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, but is "loud".'],
    ['ENDPOINTS', 'openAI,openai', `ENDPOINTS must be a comma list of ${ENDPOINT_WORDS.join(', ')}, but is "openai".`],
    ['OPENAI_REVERSE_PROXY', 'localhost:8080/v1', 'OPENAI_REVERSE_PROXY must be an http(s) address or user_provided.'],
    ['PROXY', 'socks5://localhost', 'PROXY must be an http(s) address.'],
    ['DOMAIN_CLIENT', 'chat.example.com', 'DOMAIN_CLIENT must be an http(s) address without user, query and fragment.'],
    [
      'DOMAIN_SERVER',
      'https://chat.example.com/?a=1',
      'DOMAIN_SERVER must be an http(s) address without user, query and fragment.',
    ],
    [
      'HELP_AND_FAQ_URL',
      'javascript:alert(1)',
      'HELP_AND_FAQ_URL must be an http(s) address or a path that begins with one /.',
    ],
    [
      'HELP_AND_FAQ_URL',
      '//elsewhere.example',
      'HELP_AND_FAQ_URL must be an http(s) address or a path that begins with one /.',
    ],
    [
      'DATABASE_URL',
      'mysql://root:hunter2@localhost/x',
      'DATABASE_URL must be an address that begins with postgres:// or postgresql://.',
    ],
    [
      'OPENAI_API_KEY',
      'sk-one\nsk-two',
      'OPENAI_API_KEY must be one word of visible ASCII characters, without spaces or line breaks.',
    ],
    ['JWT_SECRET', 'hunter2', 'JWT_SECRET must have at least 16 characters.'],
    ['CREDS_KEY', 'f34be4', 'CREDS_KEY must be 64 hex digits.'],
    ['CREDS_IV', 'z'.repeat(32), 'CREDS_IV must be 32 hex digits.'],
    ['CONFIG_PATH', 'http://user:hunter2@localhost/x', 'CONFIG_PATH must not hold a user name or password.'],
  ];

  test.each(refusals)('%s=%j stops the start', async (name, value, sentence) => {
    expect(await envRefusal({ [name]: value })).toBe(sentence);
  });

  test('moderation needs its key', async () => {
    const sentence = 'OPENAI_MODERATION is true, so OPENAI_MODERATION_API_KEY must be set.';
    expect(await envRefusal({ OPENAI_MODERATION: 'true' })).toBe(sentence);
  });

  const flags: [value: string, registrationEnabled: boolean, socialLoginEnabled: boolean][] = [
    ['true', true, true],
    [' TRUE ', true, true],
    ['false', false, false],
    ['False', false, false],
    ['', false, false],
  ];

  test.each(flags)('%j is accepted as a flag', async (value, registrationEnabled, socialLoginEnabled) => {
    const config = await load({ ALLOW_REGISTRATION: value, ALLOW_SOCIAL_LOGIN: value });
    expect(config.startup).toMatchObject({ registrationEnabled, socialLoginEnabled });
  });

  test('an empty value of another kind means the default', async () => {
    const config = await load({ PORT: '', LOGIN_MAX: ' ', ENDPOINTS: ',', APP_TITLE: '', OPENAI_MODELS: '' });
    expect(config.server.port).toBe(3080);
    expect(config.limits.login.max).toBe(7);
    expect(config.endpoints.offered).toEqual(BUILT_IN_ENDPOINTS);
    expect(config.startup.appTitle).toBe('Parley');
  });

  test.each([
    ['1000 * 60 * 15', 900_000],
    ['(1000 * 60 * 60 * 24) * 7', 604_800_000],
    ['2*(3+4)-6/3', 12],
    ['10 - 2 - 3', 5],
    ['-(2 - 5) * 1.5', 4.5],
    ['  7 ', 7],
  ])('arithmetic %j is %d', (text, value) => {
    expect(evaluateArithmetic(text)).toBe(value);
  });

  test.each(['', '1 2', '1..2', '2 *', '(1', '1)', '()', '1e3', '0x10', '1/0', 'process.exit()', '1'.repeat(201)])(
    '%j is no arithmetic',
    (text) => {
      expect(evaluateArithmetic(text)).toBeUndefined();
    },
  );

  test('unreadable arithmetic is rejected, however it is nested', () => {
    expect(evaluateArithmetic(`${'1'.repeat(199)}x`)).toBeUndefined();
    expect(evaluateArithmetic('('.repeat(200))).toBeUndefined();
  });

  test('limits and bans are read', async () => {
    const config = await load({
      LIMIT_MESSAGE_IP: 'true',
      MESSAGE_IP_MAX: '3',
      LIMIT_CONCURRENT_MESSAGES: 'true',
      CONCURRENT_MESSAGE_MAX: '2',
      REGISTER_WINDOW: '60 * 24',
      BAN_VIOLATIONS: 'true',
      BAN_DURATION: '1000 * 60',
      NON_BROWSER_VIOLATION_SCORE: '20',
      OPENAI_MODERATION: 'true',
      OPENAI_MODERATION_API_KEY: 'sk-m',
    });
    expect(config.limits).toMatchObject({
      messagesPerIp: { enabled: true, max: 3, windowInMinutes: 1 },
      concurrentMessages: { enabled: true, max: 2 },
      register: { max: 5, windowInMinutes: 1440 },
    });
    expect(config.bans).toMatchObject({ enabled: true, durationMs: 60_000, scores: { nonBrowser: 20 } });
    const url = 'https://api.openai.com/v1/moderations';
    expect(config.moderation).toEqual({ enabled: true, apiKey: 'sk-m', url });
  });

  test('an address applies to browser and server, without its trailing slash', async () => {
    const config = await load({ DOMAIN_CLIENT: 'https://chat.example.com/' });
    expect(config.server).toMatchObject({
      domainClient: 'https://chat.example.com',
      domainServer: 'https://chat.example.com',
    });
    expect(config.startup.serverDomain).toBe('https://chat.example.com');
  });

  test('PROCESSES shares the connections of one process, and the embedded database has room for six', async () => {
    const { server, database } = await load({ PROCESSES: '4' });
    expect([server.processes, database.poolSize]).toEqual([4, 3]);
    expect((await load({ PROCESSES: 'auto' })).server.processes).toBeGreaterThan(0);
    await expect(load({ PROCESSES: '7' })).rejects.toThrow('PROCESSES is at most 6 with the embedded database');
    expect((await load({ PROCESSES: '7', DATABASE_URL: 'postgres://db/parley' })).server.processes).toBe(7);
  });

  test('DATABASE_URL replaces the embedded database', async () => {
    const url = 'postgres://parley@db-1:5432,db-2:5432/parley';
    expect((await load({ DATABASE_URL: url })).database).toEqual({
      kind: 'external',
      url,
      prepare: 'auto',
      poolSize: 10,
    });
    const pooled = await load({ DATABASE_URL: url, DATABASE_DIRECT_URL: `${url}2`, DATABASE_PREPARE: 'off' });
    expect(pooled.database).toMatchObject({ url, directUrl: `${url}2`, prepare: 'off' });
    const replicated = await load({ DATABASE_URL: url, DATABASE_READ_URL: `${url}3` });
    expect(replicated.database).toMatchObject({ url, readUrl: `${url}3` });
    expect((await load({ DATABASE_POOL_SIZE: '4' })).database).toEqual({ kind: 'embedded', poolSize: 4 });
  });
});

describe('MCP servers', () => {
  const ofYaml = async (servers: string) => {
    const { mcp } = await load({ KEY: 'k' }, { 'parley.yaml': `version: 1.0.7\nmcpServers: ${servers}` });
    return mcp;
  };

  test('are none, and users may not add any, by default', async () => {
    expect((await load({})).mcp).toEqual({ userServers: false, servers: [] });
    expect((await load({ MCP_USER_SERVERS: 'on' })).mcp.userServers).toBe(true);
  });

  test('are addresses with headers or sign-in, or programs', async () => {
    const { servers } = await ofYaml(
      '{ a: { url: "https://a.example/mcp", headers: { X-Key: "${KEY}" } }, b: { url: "http://b/", auth: oauth, ' +
        'timeout: 5, trusted: true }, c: { command: run, args: [x], env: { A: b }, includedTools: [y] } }',
    );
    expect(servers).toEqual([
      {
        name: 'a',
        target: { type: 'http', url: 'https://a.example/mcp', headers: { 'X-Key': 'k' } },
        auth: 'header',
        timeoutMs: 60_000,
        isTrusted: false,
        filter: {},
      },
      {
        name: 'b',
        target: { type: 'http', url: 'http://b/', headers: {} },
        auth: 'oauth',
        timeoutMs: 5,
        isTrusted: true,
        filter: {},
      },
      {
        name: 'c',
        target: { type: 'stdio', command: 'run', args: ['x'], env: { A: 'b' } },
        auth: 'none',
        timeoutMs: 60_000,
        isTrusted: false,
        filter: { includedTools: ['y'] },
      },
    ]);
  });

  test.each([
    ['{ a: { trusted: true } }', 'mcpServers.a must have either url or command'],
    ['{ a: { url: "https://a/", command: b } }', 'mcpServers.a must have either url or command'],
    ['{ a: { command: b, auth: oauth } }', 'mcpServers.a must have a url for headers and auth'],
    ['{ a: { url: "https://a/", args: [b] } }', 'mcpServers.a must have a command for args and env'],
    ['{ a: { url: "https://a/", auth: header } }', 'mcpServers.a must have headers for auth: header'],
    ['{ "a b": { command: c } }', 'mcpServers must have names of up to 32 letters, digits, _ and -'],
  ])('%s stops the start', async (servers, sentence) => {
    expect(await refusalOf(ofYaml(servers))).toContain(`In parley.yaml, ${sentence}`);
  });
});

describe('actions', () => {
  test('are on for every public domain by default', async () => {
    expect((await load({})).actions).toEqual({ enabled: true, allowedDomains: null, restAsks: false });
    expect((await load({ REST_ACTIONS_ASK: 'true' })).actions.restAsks).toBe(true);
    expect((await load({ ACTIONS: 'off' })).actions.enabled).toBe(false);
    const yaml = 'version: 1.0.7\nactions: { allowedDomains: [API.example.com, example.org] }';
    const { actions } = await load({}, { 'parley.yaml': yaml });
    expect(actions.allowedDomains).toEqual(['api.example.com', 'example.org']);
  });
});

describe('embeddings', () => {
  test('are off unless an endpoint is named, whose model has a default', async () => {
    expect((await load({ OPENAI_API_KEY: 'k' })).retrieval).toEqual({ embeddings: undefined, rag: undefined });
    const named = { OPENAI_API_KEY: 'k', EMBEDDINGS_ENDPOINT: 'openAI' };
    const embeddings = { endpoint: 'openAI', model: 'text-embedding-3-small' };
    expect((await load(named)).retrieval).toEqual({ embeddings, rag: undefined });
  });

  test('serve several models, the one for files first', async () => {
    const endpoints =
      'endpoints: { custom: [{ name: Local, apiKey: k, baseURL: "https://x.example/v1", models: { default: [m] } }] }';
    const files = { 'parley.yaml': `version: 1.0.7\n${endpoints}` };
    const given = { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' };
    const named = {
      ...given,
      EMBEDDINGS_ENDPOINT: 'openAI',
      EMBEDDINGS_MODELS: 'BAAI/bge-m3,Local/nomic,openAI/text-embedding-3-small',
    };
    const { embeddings, retrieval } = await load(named, files);
    const first = { endpoint: 'openAI', model: 'text-embedding-3-small' };
    expect(embeddings).toEqual([
      first,
      { endpoint: 'openAI', model: 'BAAI/bge-m3' },
      { endpoint: 'Local', model: 'nomic' },
    ]);
    expect(retrieval.embeddings).toEqual(first);
    const alone = await load({ ...given, EMBEDDINGS_MODELS: 'Local/nomic' }, files);
    expect(alone).toMatchObject({ retrieval: { embeddings: undefined }, embeddings: [{ model: 'nomic' }] });
    for (const model of ['nomic', 'anthropic/nomic'])
      await expect(load({ ...given, EMBEDDINGS_MODELS: model }, files)).rejects.toThrow(
        `EMBEDDINGS_MODELS must name models of configured endpoints that follow OpenAI's protocol, as endpoint/model (openAI, Local), but has "${model}".`,
      );
  });

  test.each(['anthropic', 'nothing'])('of %s stop the start', async (endpoint) => {
    const given = { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k', EMBEDDINGS_ENDPOINT: endpoint };
    await expect(load(given)).rejects.toThrow(
      `EMBEDDINGS_ENDPOINT must name a configured endpoint that follows OpenAI's protocol (openAI), but is "${endpoint}".`,
    );
  });
});

describe('tools', () => {
  test('are on, with limits that can be changed', async () => {
    expect((await load({})).tools).toEqual({
      enabled: true,
      maxSteps: 10,
      maxMinutes: 15,
      callsPerMinute: 120,
      filter: {},
    });
    const given = { TOOLS: 'off', AGENT_MAX_STEPS: '3', AGENT_MAX_MINUTES: '1', TOOL_CALLS_PER_MINUTE: '5' };
    expect((await load(given)).tools).toEqual({
      enabled: false,
      maxSteps: 3,
      maxMinutes: 1,
      callsPerMinute: 5,
      filter: {},
    });
  });
});

describe('the service of RAG_API_URL', () => {
  test('is off unless it is named, and tells whole texts only where that is wanted', async () => {
    const named = { RAG_API_URL: 'http://rag:8000/' };
    const rag = { url: 'http://rag:8000', usesFullContext: false };
    expect((await load(named)).retrieval).toEqual({ embeddings: undefined, rag });
    const { retrieval } = await load({ ...named, RAG_USE_FULL_CONTEXT: 'true' });
    expect(retrieval.rag).toEqual({ ...rag, usesFullContext: true });
  });
});

describe('mail', () => {
  const given = { EMAIL_USERNAME: 'u', EMAIL_PASSWORD: 'p', EMAIL_FROM: 'f@example.com' };

  test('chooses encryption by the port, and checks certificates when encrypted', async () => {
    expect((await load({ ...given, EMAIL_HOST: 'smtp.example.com' })).mail).toEqual({
      enabled: true,
      host: 'smtp.example.com',
      port: 25,
      encryption: 'if-offered',
      certificateName: undefined,
      allowSelfSigned: false,
      username: 'u',
      password: 'p',
      from: { name: undefined, address: 'f@example.com' },
    });
  });

  test('is sent as configured', async () => {
    const env = {
      EMAIL_HOST: '::1',
      EMAIL_PORT: '587',
      EMAIL_ENCRYPTION: 'STARTTLS',
      EMAIL_ENCRYPTION_HOSTNAME: 'mail.example.com',
      EMAIL_ALLOW_SELFSIGNED: 'true',
      EMAIL_FROM_NAME: 'Us',
    };
    expect((await load({ ...given, ...env })).mail).toMatchObject({
      host: '::1',
      port: 587,
      encryption: 'starttls',
      certificateName: 'mail.example.com',
      allowSelfSigned: true,
      from: { name: 'Us' },
    });
  });

  test.each([
    ['gmail', { host: 'smtp.gmail.com', port: 465, encryption: 'tls' }],
    ['Outlook365', { host: 'smtp.office365.com', port: 587 }],
  ])('has the settings of the service %s, whatever host is set', async (service, carrier) => {
    expect((await load({ ...given, EMAIL_SERVICE: service, EMAIL_HOST: 'other' })).mail).toMatchObject(carrier);
  });

  test('is off when its settings are incomplete, and the log names what is missing', async () => {
    const { mail, warnings } = await load({ EMAIL_HOST: 'smtp.example.com', EMAIL_USERNAME: 'u' });
    expect(mail).toEqual({ enabled: false });
    expect(warnings).toEqual(['No mail is sent: EMAIL_HOST is given, but not EMAIL_PASSWORD, EMAIL_FROM.']);
  });
});

describe('the startup configuration for visitors', () => {
  const mail = { EMAIL_USERNAME: 'u', EMAIL_PASSWORD: 'p', EMAIL_FROM: 'f@example.com' };
  const google = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' };
  const openid = { OPENID_CLIENT_ID: 'id', OPENID_CLIENT_SECRET: 'secret', ALLOW_SOCIAL_LOGIN: 'true' };
  const facts: [name: string, env: Record<string, string>, facts: Partial<Config['startup']>][] = [
    ['mail needs a carrier', mail, { emailEnabled: false }],
    ['mail by service', { ...mail, EMAIL_SERVICE: 'gmail' }, { emailEnabled: true }],
    ['mail by host', { ...mail, EMAIL_HOST: 'smtp.example.com' }, { emailEnabled: true }],
    ['mail needs a sender', { ...mail, EMAIL_HOST: 'smtp', EMAIL_FROM: '' }, { emailEnabled: false }],
    ['a provider waits for social sign-in', google, { googleLoginEnabled: false, socialLoginEnabled: false }],
    ['a provider with both values', { ...google, ALLOW_SOCIAL_LOGIN: 'true' }, { googleLoginEnabled: true }],
    [
      'a provider without its secret',
      { ...google, GOOGLE_CLIENT_SECRET: '', ALLOW_SOCIAL_LOGIN: 'true' },
      { googleLoginEnabled: false, socialLoginEnabled: true },
    ],
    ['OpenID without issuer', openid, { openidLoginEnabled: false }],
    [
      'OpenID',
      {
        ...openid,
        OPENID_ISSUER: 'https://id.example.com',
        OPENID_BUTTON_LABEL: 'Staff',
        OPENID_IMAGE_URL: '/assets/id.png',
      },
      { openidLoginEnabled: true, openidLabel: 'Staff', openidImageUrl: '/assets/id.png' },
    ],
    ['closed forms', { ALLOW_EMAIL_LOGIN: 'false' }, { emailLoginEnabled: false, registrationEnabled: true }],
    ['a help page', { HELP_AND_FAQ_URL: 'https://help.example.com' }, { helpAndFaqURL: 'https://help.example.com' }],
    ['a footer', { CUSTOM_FOOTER: ' hi ' }, { customFooter: ' hi ' }],
    ['balance', { CHECK_BALANCE: 'true' }, { checkBalance: true }],
  ];

  test.each(facts)('%s', async (_name, env, expected) => {
    expect((await load(env)).startup).toMatchObject(expected);
  });

  test.each([
    [{}, 'on-the-day'],
    [{ SHOW_BIRTHDAY_ICON: 'false' }, 'on-the-day'],
    [{ SHOW_BIRTHDAY_ICON: 'True' }, 'always'],
    [{ SHOW_BIRTHDAY_ICON: '' }, 'always'],
  ])('the birthday icon with %j shows %s', async (env: Record<string, string>, setting) => {
    expect((await load(env)).birthdayIcon).toBe(setting);
  });

  test('the birthday is 11 February', () => {
    const days = [new Date(2024, 1, 10, 23, 59), new Date(2024, 1, 11), new Date(2025, 1, 12), new Date(2025, 10, 2)];
    expect(days.map((day) => showsBirthdayIcon('on-the-day', day))).toEqual([false, true, false, false]);
    expect(days.map((day) => showsBirthdayIcon('always', day))).toEqual([true, true, true, true]);
  });
});

describe('a directory', () => {
  const env = { LDAP_URL: 'ldaps://ldap.example.com', LDAP_USER_SEARCH_BASE: 'dc=example,dc=com' };

  test('closes registration and links for passwords, and is told to the browser', async () => {
    const { accounts, startup, warnings } = await load({ ...env, ALLOW_REGISTRATION: 'true' });
    expect(accounts).toMatchObject({ registration: 'closed', allowPasswordReset: false });
    expect(accounts.ldap).toMatchObject({ filter: '(mail={{username}})', bind: null, checksCertificate: true });
    expect(startup).toMatchObject({ ldap: { enabled: true }, registrationEnabled: false });
    expect(warnings).toEqual([
      'ALLOW_REGISTRATION has no effect since the directory of LDAP_URL has the accounts and their passwords.',
    ]);
    expect((await load({ LDAP_USER_SEARCH_BASE: 'dc=x' })).accounts.ldap).toBeNull();
  });

  test.each([
    [{ LDAP_USER_SEARCH_BASE: '' }, 'LDAP_URL needs LDAP_USER_SEARCH_BASE, below which people are.'],
    [{ LDAP_URL: 'https://x' }, 'LDAP_URL must be an address such as ldaps://directory.example.com.'],
    [{ LDAP_BIND_DN: 'cn=reader' }, 'LDAP_BIND_DN and LDAP_BIND_CREDENTIALS belong together.'],
    [{ LDAP_SEARCH_FILTER: 'uid=alice' }, 'LDAP_SEARCH_FILTER must hold {{username}}.'],
    [{ LDAP_SEARCH_FILTER: '(uid={{username}}' }, 'LDAP_SEARCH_FILTER must have as many ( as ).'],
    [{ LDAP_STARTTLS: 'true' }, 'LDAP_STARTTLS is for an LDAP_URL with ldap://.'],
    [{ LDAP_GROUPS: 'staff' }, 'LDAP_GROUPS needs LDAP_GROUPS_ATTRIBUTE or LDAP_GROUP_SEARCH_BASE, where groups are.'],
    [
      { LDAP_GROUPS_ATTRIBUTE: 'memberOf', LDAP_GROUP_SEARCH_BASE: 'dc=x' },
      'LDAP_GROUPS_ATTRIBUTE and LDAP_GROUP_SEARCH_BASE are two ways: set one.',
    ],
    [
      { LDAP_GROUP_SEARCH_BASE: 'dc=x', LDAP_GROUP_SEARCH_FILTER: 'member=x' },
      'LDAP_GROUP_SEARCH_FILTER must hold {{dn}}.',
    ],
    [{ LDAP_ID: 'objectGUID' }, 'LDAP_ID must be the name of an attribute that holds text.'],
    [{ LDAP_CA_CERT_PATH: '/no/such.pem' }, 'LDAP_CA_CERT_PATH must be a file that can be read: /no/such.pem.'],
  ])('with %j stops the start', async (wrong, sentence) => {
    expect(await envRefusal({ ...env, ...wrong } as Record<string, string>)).toBe(sentence);
  });

  test('causes a warning when it is asked without encryption or a check', async () => {
    const warned = async (more: object) => (await load({ ...env, ...more })).warnings.join();
    const clear = { LDAP_URL: 'ldap://ldap.example.com' };
    expect(await warned(clear)).toContain('LDAP_URL sends passwords unencrypted');
    expect(await warned({ ...clear, LDAP_STARTTLS: 'true' })).toBe('');
    expect(await warned({ LDAP_URL: 'ldap://localhost' })).toBe('');
    expect(await warned({ LDAP_TLS_REJECT_UNAUTHORIZED: 'false' })).toContain('lets anybody pose as the directory');
  });
});

describe('social sign-in', () => {
  const openid = {
    ALLOW_SOCIAL_LOGIN: 'true',
    OPENID_CLIENT_ID: 'id',
    OPENID_CLIENT_SECRET: 'secret',
    OPENID_ISSUER: 'https://id.example.com',
  };
  const github = { ALLOW_SOCIAL_LOGIN: 'true', GITHUB_CLIENT_ID: 'id', GITHUB_CLIENT_SECRET: 'secret' };

  test('returns to the address of the server unless another is set', async () => {
    const site = { DOMAIN_SERVER: 'https://parley.example.com' };
    const callbacks = [
      [{}, 'https://parley.example.com/oauth/github/callback', '/oauth/github/callback'],
      [{ GITHUB_CALLBACK_URL: '/back' }, 'https://parley.example.com/back', '/back'],
      [{ GITHUB_CALLBACK_URL: 'https://other.example/back' }, 'https://other.example/back', '/back'],
    ] as const;
    for (const [env, redirectURI, callbackPath] of callbacks) {
      const { accounts } = await load({ ...github, ...site, ...env });
      expect(accounts.sites).toMatchObject([
        { name: 'github', client: { redirectURI, callbackPath }, protocol: { realm: 'github' } },
      ]);
    }
  });

  test('requests the openid, profile and email scopes from OpenID, unless configured otherwise', async () => {
    expect((await load(openid)).accounts.sites).toMatchObject([
      {
        name: 'openid',
        protocol: {
          realm: 'https://id.example.com',
          scopes: ['openid', 'profile', 'email'],
          requiredRole: undefined,
        },
      },
    ]);
    const { accounts } = await load({ ...openid, OPENID_SCOPE: 'openid  groups', OPENID_SESSION_SECRET: 'unused' });
    expect(accounts.sites).toMatchObject([{ protocol: { scopes: ['openid', 'groups'] } }]);
    expect(await envRefusal({ ...openid, OPENID_SCOPE: 'email' })).toBe('OPENID_SCOPE must hold the word openid.');
  });

  const role = { OPENID_REQUIRED_ROLE: 'staff' };
  const path = { OPENID_REQUIRED_ROLE_PARAMETER_PATH: 'realm_access.roles' };

  test("can require a role in one of OpenID's tokens", async () => {
    const { accounts } = await load({ ...openid, ...role, ...path, OPENID_REQUIRED_ROLE_TOKEN_KIND: 'access' });
    const requiredRole = { roles: ['staff'], token: 'access', path: 'realm_access.roles' };
    expect(accounts.sites).toMatchObject([{ protocol: { requiredRole } }]);
  });

  test('can read administrators and groups from OpenID', async () => {
    const admin = { OPENID_ADMIN_ROLE: 'owner, root', OPENID_ADMIN_ROLE_PARAMETER_PATH: 'roles' };
    const groups = { OPENID_GROUPS_CLAIM: 'groups', OPENID_GROUPS: 'staff, parley-*' };
    const env = { ...openid, ...admin, OPENID_ADMIN_ROLE_TOKEN_KIND: 'userinfo', ...groups };
    const adminRole = { roles: ['owner', 'root'], token: 'userinfo', path: 'roles' };
    expect((await load(env)).accounts.sites).toMatchObject([
      { protocol: { adminRole, groups: { path: 'groups', token: 'id', only: ['staff', 'parley-*'] } } },
    ]);
    expect(await envRefusal({ ...openid, ...admin })).toMatch(/^OPENID_ADMIN_ROLE needs OPENID_ADMIN_ROLE_TOKEN_KIND/);
    expect(await envRefusal({ ...openid, OPENID_GROUPS: 'staff' })).toMatch(/^OPENID_GROUPS needs OPENID_GROUPS_CLAIM/);
  });

  test.each([{}, path, { OPENID_REQUIRED_ROLE_TOKEN_KIND: 'id' }])(
    'with a required role and only %j stops the start',
    async (env) => {
      expect(await envRefusal({ ...openid, ...role, ...env } as Record<string, string>)).toMatch(
        /^OPENID_REQUIRED_ROLE needs OPENID_REQUIRED_ROLE_TOKEN_KIND/,
      );
    },
  );
});

describe('OpenAI', () => {
  test('is on with a key of the server', async () => {
    const config = await load({
      OPENAI_API_KEY: ' sk-1 ',
      OPENAI_MODELS: ' gpt-4 , ,gpt-3.5-turbo,',
      OPENAI_ORGANIZATION: 'org-1',
      OPENAI_TITLE_MODEL: 'gpt-4',
      OPENAI_SUMMARIZE: 'true',
      OPENAI_FORCE_PROMPT: 'true',
    });
    expect(config.endpoints.openAI).toEqual({
      enabled: true,
      order: 0,
      key: { from: 'server', apiKey: 'sk-1' },
      baseURL: undefined,
      organization: 'org-1',
      models: ['gpt-4', 'gpt-3.5-turbo'],
      pictures: [],
      titles: { enabled: true, method: 'functions', model: { use: 'named', name: 'gpt-4' } },
      summaries: { enabled: true, model: undefined },
      forcePrompt: true,
      responses: false,
    });
  });

  test.each<[named: Record<string, string>, pictures: string[] | undefined]>([
    [{}, ['gpt-image-1', 'gpt-image-1-mini', 'dall-e-3']],
    [{ OPENAI_MODELS: 'gpt-4,dall-e-3' }, ['dall-e-3']],
    [{ OPENAI_REVERSE_PROXY: 'https://llm.example/v1' }, undefined],
    [{ OPENAI_MODELS: 'gpt-4', OPENAI_IMAGE_MODELS: 'painter' }, ['painter']],
  ])('with %j makes pictures by %j', async (named, pictures) => {
    const { openAI } = (await load({ OPENAI_API_KEY: 'sk-1', ...named })).endpoints;
    expect(Object.entries(openAI).find(([name]) => name === 'pictures')?.[1]).toEqual(pictures);
  });

  test('is on with keys of users', async () => {
    const env = { OPENAI_API_KEY: 'user_provided', OPENAI_REVERSE_PROXY: 'user_provided', TITLE_CONVO: 'false' };
    expect((await load(env)).endpoints.openAI).toMatchObject({
      key: { from: 'user' },
      baseURL: { from: 'user' },
      models: undefined,
      titles: { enabled: false, model: { use: 'default' } },
    });
  });

  test.each<Record<string, string>>([
    { OPENAI_API_KEY: '' },
    { OPENAI_REVERSE_PROXY: 'https://llm.example/v1' },
    { OPENAI_API_KEY: 'sk-1', ENDPOINTS: 'google,custom' },
  ])('is off with %j', async (env) => {
    expect((await load(env)).endpoints.openAI).toEqual({ enabled: false });
  });

  test.each([
    ['https://llm.example/v1', 'https://llm.example/v1', 0],
    ['https://llm.example/v1/', 'https://llm.example/v1', 0],
    ['https://llm.example/v1/chat/completions', 'https://llm.example/v1', 0],
    ['https://llm.example/v1/chat/completions/', 'https://llm.example/v1', 0],
    ['https://llm.example/v1/completions', 'https://llm.example/v1', 0],
    ['https://gateway.example/v1/openai', 'https://gateway.example/v1/openai', 1],
  ])('at %s it is called at %s', async (given, url, notices) => {
    const config = await load({ OPENAI_API_KEY: 'sk-1', OPENAI_REVERSE_PROXY: given });
    expect(config.endpoints.openAI).toMatchObject({ baseURL: { from: 'server', url } });
    expect(config.warnings).toHaveLength(notices);
  });
});

describe('the order of endpoints', () => {
  const cases: [endpoints: string, openAI: number | undefined, custom: number][] = [
    ['', 0, 9999],
    ['google, custom ,openAI,google', 2, 1],
    ['custom', undefined, 0],
    ['anthropic,openAI', 1, 9999],
  ];

  test.each(cases)('ENDPOINTS=%j', async (endpoints, openAI, order) => {
    const config = await loadYaml(custom(''), { ENDPOINTS: endpoints, OPENAI_API_KEY: 'sk-1' });
    expect(config.endpoints.openAI).toMatchObject(openAI === undefined ? { enabled: false } : { order: openAI });
    expect(config.endpoints.custom[0]?.order).toBe(order);
  });

  test('customOrder wins', async () => {
    expect((await loadYaml(custom('customOrder: 2'))).endpoints.custom[0]?.order).toBe(2);
  });
});

describe('the yaml file', () => {
  test('parley.yaml is read before librechat.yaml', async () => {
    const files = { 'librechat.yaml': 'version: 1.0.7\nimageOutputType: webp' };
    expect((await load({}, files)).files.imageOutputType).toBe('webp');
    expect((await load({}, { ...files, 'parley.yaml': 'version: 1.0.7' })).files.imageOutputType).toBe('png');
  });

  test('CONFIG_PATH sets another file, from the environment or .env', async () => {
    const files = { 'other.yml': 'version: 1.0.7\nimageOutputType: webp', 'parley.yaml': 'broken: true' };
    expect((await load({ CONFIG_PATH: 'other.yml' }, files)).files.imageOutputType).toBe('webp');
    expect((await load({}, { ...files, '.env': `CONFIG_PATH=${join(cwd, 'other.yml')}` })).files.imageOutputType).toBe(
      'webp',
    );
  });

  test('an unreadable CONFIG_PATH stops the start', async () => {
    const missing = `CONFIG_PATH must be a readable yaml file, but ${join(cwd, 'no.yaml')} does not exist.`;
    expect(await envRefusal({ CONFIG_PATH: 'no.yaml' })).toBe(missing);
    const folder = `CONFIG_PATH must be a readable yaml file, but ${cwd} cannot be read (EISDIR).`;
    expect(await envRefusal({ CONFIG_PATH: '.' })).toBe(folder);
  });

  test('the whole schema of version 1.0.7 is accepted', async () => {
    const config = await load({ GROQ_API_KEY: 'gsk-1', TEAM: 'blue', ...FIREBASE }, { 'parley.yaml': WHOLE });
    expect(config.warnings).toEqual([
      'In parley.yaml, titleMethod functions of Groq has no effect: titles are asked for as plain text.',
      'In parley.yaml, endpoints.assistants.excludedIds is ignored, because supportedIds is given.',
    ]);
    expect(config.files).toMatchObject({ imageOutputType: 'webp', strategy: 'firebase' });
    expect(config.files.limits?.endpoints?.default).toEqual({
      disabled: false,
      fileLimit: 5,
      fileSizeLimit: 0.5,
      totalSizeLimit: 50,
      supportedMimeTypes: ['image/.*', '^text/(?:plain|csv)$'],
    });
    expect(config.startup.interface).toEqual({
      privacyPolicy: { externalUrl: 'https://example.com/privacy', openNewTab: true },
      termsOfService: { externalUrl: '/terms', openNewTab: false },
    });
    expect(config.startup.socialLogins).toEqual(['discord', 'google']);
    expect(config.accounts.allowedDomains).toEqual(['example.com']);
    expect(config.limits).toMatchObject({
      uploadsPerIp: { max: 1, windowInMinutes: 2 },
      uploadsPerUser: { max: 3, windowInMinutes: 4.5 },
    });
    expect(config.endpoints.custom).toEqual([
      {
        name: 'Groq',
        order: 3,
        key: { from: 'server', apiKey: 'gsk-1' },
        baseURL: { from: 'server', url: 'https://api.groq.com/openai/v1' },
        models: { default: ['llama3'], fetch: true, userIdQuery: true },
        titles: { enabled: false, method: 'functions', model: { use: 'current' } },
        summaries: { enabled: true, model: 'llama3' },
        forcePrompt: true,
        modelDisplayLabel: 'Groq',
        iconURL: '/assets/groq.png',
        headers: { 'x-team': 'team blue' },
        addParams: { stop: ['###'], safe_prompt: true },
        dropParams: ['user'],
      },
      expect.objectContaining({ name: 'Mine', key: { from: 'user' }, baseURL: { from: 'user' } }),
    ]);
    expect(config.endpoints.azureOpenAI).toMatchObject({
      enabled: true,
      order: 1,
      models: ['gpt-4', 'gpt-4-vision', 'mistral-large'],
      titles: { enabled: true, method: 'completion', model: { use: 'named', name: 'gpt-4' } },
      places: {
        deployments: {
          'gpt-4': {
            apiKey: 'gsk-1',
            instanceName: 'west-1',
            deploymentName: 'deployment',
            version: '2024-02-15-preview',
            baseURL: 'https://${INSTANCE_NAME}.example.com/${DEPLOYMENT_NAME}',
            headers: { 'x-a': 'b' },
            dropParams: ['user'],
          },
          'gpt-4-vision': { deploymentName: 'vision', version: '2024-03-01-preview' },
          'mistral-large': { serverless: true, baseURL: 'https://serverless.example.com/v1' },
        },
      },
    });
    expect(config.endpoints.assistants).toMatchObject({ capabilities: ['tools'] });
  });

  test('the example is valid', async () => {
    const example = await readFile(join(ROOT, 'parley.example.yaml'), 'utf8');
    const config = await load({ GROQ_API_KEY: 'gsk-1' }, { 'parley.yaml': example });
    expect(config.warnings).toEqual([]);
    expect(config.endpoints.custom.map(({ name, key }) => [name, key.from])).toEqual([
      ['Groq', 'server'],
      ['Ollama', 'server'],
      ['OpenRouter', 'user'],
    ]);
  });

  test.each([
    ['1.0.6', 'In parley.yaml, version "1.0.6" is older than 1.0.7, by which it was read.'],
    ['1.0.10', 'In parley.yaml, version "1.0.10" is newer than 1.0.7, by which it was read.'],
  ])('version %s causes a warning only', async (version, notice) => {
    expect((await load({}, { 'parley.yaml': `version: ${version}` })).warnings).toEqual([notice]);
  });

  test('variables that are not supported cause a warning', async () => {
    expect((await load({ MONGO_URI: 'mongodb://x', OPENROUTER_API_KEY: 'k' })).warnings).toEqual([
      'MONGO_URI is not read: Parley keeps its data in PostgreSQL, see DATABASE_URL.',
      'OPENROUTER_API_KEY is not used: an endpoint in endpoints.custom of the yaml file uses a key by its name, as apiKey: "${OPENROUTER_API_KEY}".',
    ]);
  });

  test('anchors and merge keys are understood', async () => {
    const yaml = `endpoints:
  custom:
    - &first { name: One, apiKey: k, baseURL: 'https://one.example/v1', models: { default: [a] } }
    - { <<: *first, name: Two }`;
    const config = await loadYaml(yaml);
    expect(config.endpoints.custom.map(({ name, key }) => [name, key.from])).toEqual([
      ['One', 'server'],
      ['Two', 'server'],
    ]);
  });
});

describe('a value of the yaml file', () => {
  const refusals: [what: string, yaml: string, sentence: string][] = [
    ['a mistyped section', 'cach: true', 'cach is not a known setting; perhaps cache is meant.'],
    [
      'a mistyped section of another version',
      'memmory: {}',
      'memmory is not a known setting; perhaps memory is meant.',
    ],
    ['a wrong flag', 'balance: { enabled: "yes" }', 'balance.enabled must be true or false, but is text.'],
    ['a wrong image type', 'imageOutputType: gif', 'imageOutputType must be one of png, webp, jpeg, but is "gif".'],
    [
      'a wrong strategy',
      'fileStrategy: tape',
      'fileStrategy must be one of local, s3, firebase, openai, but is "tape".',
    ],
    [
      'a wrong title method',
      custom('titleMethod: magic'),
      'endpoints.custom[0].titleMethod must be one of completion, functions, but is "magic".',
    ],
    [
      'an unknown provider',
      'registration: { socialLogins: [google, myspace] }',
      'registration.socialLogins[1] must be one of google, facebook, openid, github, discord, but is "myspace".',
    ],
    [
      'a wrong domain',
      'registration: { allowedDomains: ["@example.com"] }',
      'registration.allowedDomains[0] must be a domain such as example.com.',
    ],
    [
      'a script as a link',
      'interface: { termsOfService: { externalUrl: "javascript:alert(1)" } }',
      'interface.termsOfService.externalUrl must be an http(s) address or a path that begins with one /.',
    ],
    [
      'a limit of nothing',
      'rateLimits: { fileUploads: { ipMax: 0 } }',
      'rateLimits.fileUploads.ipMax must be at least 1.',
    ],
    ['a negative size', 'fileConfig: { avatarSizeLimit: -2 }', 'fileConfig.avatarSizeLimit must not be negative.'],
    [
      'a broken pattern',
      'fileConfig: { endpoints: { default: { supportedMimeTypes: ["("] } } }',
      'fileConfig.endpoints.default.supportedMimeTypes[0] must be a regular expression.',
    ],
    ['an empty section', 'endpoints:', 'endpoints is empty; it must be a map of assistants, azureOpenAI, custom.'],
    ['no endpoints field', 'endpoints: {}', 'endpoints must have at least one of azureOpenAI, assistants, custom.'],
    ['a map for a list', 'endpoints: { custom: {} }', 'endpoints.custom must be a list of endpoints, but is a map.'],
    ['a key that is a number', custom('apiKey: 12345'), 'endpoints.custom[0].apiKey must be text, but is a number.'],
    [
      'a key of two lines',
      custom('apiKey: "a\\nb"'),
      'endpoints.custom[0].apiKey must be one word of visible ASCII characters.',
    ],
    [
      'a wrong address',
      custom('baseURL: groq.example/v1'),
      'endpoints.custom[0].baseURL must be an http(s) address or user_provided.',
    ],
    [
      'an empty model list',
      custom('models: { default: [] }'),
      'endpoints.custom[0].models.default must have at least one model name.',
    ],
    [
      'a header with a line break',
      custom('headers: { x-a: "a\\r\\nx-b: c" }'),
      'endpoints.custom[0].headers.x-a must be one line of ASCII characters.',
    ],
    [
      'a wrong header name',
      custom('headers: { "x a": b }'),
      'endpoints.custom[0].headers must have valid HTTP header names.',
    ],
    [
      'a built-in name',
      custom('name: OpenAi'),
      'endpoints.custom[0].name must be a name of its own, but "OpenAi" is the name of a built-in endpoint.',
    ],
    [
      'a name used twice',
      `${custom('name: Groq')}    - { name: groq, apiKey: k, baseURL: "https://b.example", models: { default: [a] } }`,
      'endpoints.custom[1].name must be a name of its own, but "groq" is the name of endpoints.custom[0].',
    ],
    [
      'an empty retrieval list',
      'endpoints: { assistants: { retrievalModels: [] } }',
      'endpoints.assistants.retrievalModels must have at least one model name.',
    ],
    [
      'no supported ids',
      'endpoints: { assistants: { supportedIds: [] } }',
      'endpoints.assistants.supportedIds must have at least one assistant id.',
    ],
    [
      'a wrong capability',
      'endpoints: { assistants: { capabilities: [flight] } }',
      'endpoints.assistants.capabilities[0] must be one of code_interpreter, image_vision, retrieval, actions, tools, but is "flight".',
    ],
    [
      'no Azure groups',
      'endpoints: { azureOpenAI: { groups: [] } }',
      'endpoints.azureOpenAI.groups must have at least one group.',
    ],
    [
      'an Azure group without models',
      azure('{ group: a, apiKey: k, instanceName: i, models: {} }'),
      'endpoints.azureOpenAI.groups[0].models must have at least one model.',
    ],
    [
      'an Azure model that is off',
      azure('{ group: a, apiKey: k, instanceName: i, models: { gpt-4: false } }'),
      'endpoints.azureOpenAI.groups[0].models.gpt-4 must be true or a map of deploymentName and version, but is false.',
    ],
    [
      'an Azure group name used twice',
      azure(
        '{ group: a, apiKey: k, instanceName: i, deploymentName: d, version: "1", models: { m1: true } }',
        '{ group: a, apiKey: k, instanceName: i, deploymentName: d, version: "1", models: { m2: true } }',
      ),
      'endpoints.azureOpenAI.groups[1].group must be unique, but "a" is there twice.',
    ],
    [
      'an Azure instance with its whole address',
      azure(
        '{ group: a, apiKey: k, instanceName: west.openai.azure.com, models: { m: { deploymentName: d, version: "1" } } }',
      ),
      'endpoints.azureOpenAI.groups[0].instanceName must be letters, digits and -.',
    ],
    [
      'an Azure model in two groups',
      azure(
        '{ group: a, apiKey: k, instanceName: i, deploymentName: d, version: "1", models: { m: true } }',
        '{ group: b, apiKey: k, instanceName: i, deploymentName: d, version: "1", models: { m: true } }',
      ),
      'endpoints.azureOpenAI.groups[1].models.m must be in one group only, but is also in "a".',
    ],
    [
      'an Azure model without deployment',
      azure('{ group: a, apiKey: k, instanceName: i, version: "1", models: { m: true } }'),
      'endpoints.azureOpenAI.groups[0].models.m needs a deploymentName and a version, its own or those of its group.',
    ],
    [
      'an Azure model without version',
      azure('{ group: a, apiKey: k, instanceName: i, models: { m: { deploymentName: d } } }'),
      'endpoints.azureOpenAI.groups[0].models.m needs a deploymentName and a version, its own or those of its group.',
    ],
    [
      'a serverless group without address',
      azure('{ group: a, apiKey: k, serverless: true, models: { m: true } }'),
      'endpoints.azureOpenAI.groups[0].baseURL is missing; a serverless group needs it.',
    ],
    [
      'an Azure group without instance',
      azure('{ group: a, apiKey: k, deploymentName: d, version: "1", models: { m: true } }'),
      'endpoints.azureOpenAI.groups[0].instanceName is missing; a group needs it unless it is serverless.',
    ],
    [
      'a variable that is not set',
      'actions: { allowedDomains: ["${TEAM}.example"] }',
      'actions.allowedDomains[0] refers to ${TEAM}, but the environment variable TEAM is not set.',
    ],
  ];

  test.each([
    ['fileStrategy: openai', 'fileStrategy is openai, so OPENAI_FILES_API_KEY must be set.'],
    ['fileStrategy: s3', 'fileStrategy is s3, so S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set.'],
    [
      'fileStrategy: firebase',
      'fileStrategy is firebase, so FIREBASE_API_KEY, FIREBASE_STORAGE_BUCKET and FIREBASE_APP_ID must be set.',
    ],
  ])('%s without its variables stops the start', async (yaml, sentence) => {
    expect(await yamlRefusal(yaml)).toBe(sentence);
  });

  test.each(refusals)('%s stops the start', async (_what, yaml, sentence) => {
    expect(await yamlRefusal(yaml)).toBe(`In parley.yaml, ${sentence}`);
  });

  test('all errors are reported together, with those of the variables', async () => {
    const yaml = `registrations: {}
imageOutputType: gif
interfaces: {}
endpoints:
  custom:
    - { name: openAI, apiKey: k, baseURL: "${'$'}{HOST}", models: { default: [] } }
registration: { allowedDomains: ["${'$'}{KEY}"] }
`;
    const wrong = load({ PORT: 'x', HOST: 'h', DATABASE_URL: 'y' }, { 'parley.yaml': `version: 1.0.7\n${yaml}` });
    const error: unknown = await wrong.catch((failure: unknown) => failure);
    if (!isConfigError(error)) throw new Error('expected a ConfigError', { cause: error });
    expect(error.message.split('\n').toSorted()).toEqual([
      'DATABASE_URL must be an address that begins with postgres:// or postgresql://.',
      'In parley.yaml, endpoints.custom[0].baseURL must be an http(s) address or user_provided.',
      'In parley.yaml, endpoints.custom[0].models.default must have at least one model name.',
      'In parley.yaml, imageOutputType must be one of png, webp, jpeg, but is "gif".',
      'In parley.yaml, interfaces is not a known setting; perhaps interface is meant.',
      'In parley.yaml, registration.allowedDomains[0] refers to ${KEY}, but the environment variable KEY is not set.',
      'In parley.yaml, registrations is not a known setting; perhaps registration is meant.',
      'PORT must be a whole number from 0 to 65535, but is "x".',
    ]);
  });

  test('each broken rule is reported', async () => {
    const yaml = azure(
      '{ group: a, apiKey: k, models: { m: true } }',
      '{ group: a, apiKey: k, serverless: true, models: { m: true } }',
    );
    const error: unknown = await loadYaml(yaml).catch((failure: unknown) => failure);
    if (!isConfigError(error)) throw new Error('expected a ConfigError', { cause: error });
    const groups = 'In parley.yaml, endpoints.azureOpenAI.groups';
    expect(error.message.split('\n')).toEqual([
      `${groups}[0].instanceName is missing; a group needs it unless it is serverless.`,
      `${groups}[0].models.m needs a deploymentName and a version, its own or those of its group.`,
      `${groups}[1].group must be unique, but "a" is there twice.`,
      `${groups}[1].baseURL is missing; a serverless group needs it.`,
      `${groups}[1].models.m must be in one group only, but is also in "a".`,
    ]);
  });

  test.each([
    ['theme: dark', 'theme'],
    ['interface: { theme: dark }', 'interface.theme'],
    ['interface: { privacyPolicy: { url: x } }', 'interface.privacyPolicy.url'],
    ['endpoints: { openAI: {}, custom: [] }', 'endpoints.openAI'],
    [custom('greeting: hi'), 'endpoints.custom[0].greeting'],
    [custom('models: { default: [a], only: true }'), 'endpoints.custom[0].models.only'],
    ['fileConfig: { endpoints: { default: { fileLimits: 1 } } }', 'fileConfig.endpoints.default.fileLimits'],
    [
      azure('{ group: a, apiKey: k, instanceName: i, deploymentName: d, version: "1", models: { m: { deploy: d } } }'),
      'endpoints.azureOpenAI.groups[0].models.m.deploy',
    ],
  ])('a nested key that is not known is said and ignored: %s', async (yaml, place) => {
    expect((await loadYaml(yaml)).warnings).toEqual([
      `In parley.yaml, ${place} is not a known setting and is ignored.`,
    ]);
  });

  test.each([undefined, ' '])(
    'a custom endpoint whose variable is not set (%j) is off, the others are on',
    async (key) => {
      const two = `${custom('apiKey: ${GROQ_KEY}')}    - { name: Two, apiKey: k, baseURL: "https://two.example", models: { default: [b] } }\n`;
      const config = await loadYaml(two, key === undefined ? {} : { GROQ_KEY: key });
      expect(config.endpoints.custom.map(({ name }) => name)).toEqual(['Two']);
      expect(config.warnings).toEqual([
        'The endpoint "Groq" is off: in parley.yaml, endpoints.custom[0].apiKey refers to ${GROQ_KEY}, but the environment variable GROQ_KEY is not set.',
      ]);
    },
  );

  test.each(['name', 'apiKey', 'baseURL', 'models'])('a custom endpoint without %s is off', async (key) => {
    const config = await loadYaml(custom(`${key}:`));
    expect(config.endpoints.custom).toEqual([]);
    const which = key === 'name' ? 'endpoints.custom[0]' : 'The endpoint "Groq"';
    expect(config.warnings).toEqual([`${which} is off: in parley.yaml, endpoints.custom[0].${key} is missing.`]);
  });

  test('an error after an endpoint that is off names its place in the file', async () => {
    const two = `${custom('apiKey: ${GROQ_KEY}')}    - { name: Two, apiKey: k, baseURL: two, models: { default: [b] } }\n`;
    expect(await yamlRefusal(two)).toBe(
      'In parley.yaml, endpoints.custom[1].baseURL must be an http(s) address or user_provided.',
    );
  });

  test('titleMethod functions is reported to have no effect', async () => {
    expect((await loadYaml(custom('titleMethod: functions'))).warnings).toEqual([
      'In parley.yaml, titleMethod functions of Groq has no effect: titles are asked for as plain text.',
    ]);
  });

  test('the value of a variable is inserted without quoting or further substitution', async () => {
    const env = { SECRET: 'hunter2', OTHER: '${SECRET}' };
    expect(await yamlRefusal('imageOutputType: ${SECRET}', env)).not.toContain('hunter2');
    expect((await loadYaml(custom('apiKey: ${OTHER}'), env)).endpoints.custom[0]?.key).toEqual({
      from: 'server',
      apiKey: '${SECRET}',
    });
  });

  test.each([
    ['', 'In parley.yaml, version is missing; it must be text such as "1.0.7".'],
    ['version: 1.1', 'In parley.yaml, version must be text such as "1.0.7", but is a number.'],
    [
      '- a list',
      `parley.yaml must be a map of version, imageOutputType, interface, balance, fileStrategy, registration, modelSpecs, prices, speech, actions, includedTools, filteredTools, mcpServers, rateLimits, fileConfig, endpoints, but is a list.`,
    ],
    ['version: 1.0.7\nversion: 1.0.7', 'parley.yaml is not valid yaml: Map keys must be unique at line 2, column 1.'],
  ])('%j is not a valid configuration', async (text, sentence) => {
    expect(await refusalOf(load({}, { 'parley.yaml': text }))).toBe(sentence);
  });

  test('a list that contains itself stops the start', async () => {
    const sentence = 'parley.yaml must not nest lists and maps deeper than 100 levels.';
    expect(await yamlRefusal('endpoints: &all\n  custom: [*all]')).toBe(sentence);
  });

  test('aliases that expand without bound stop the start', async () => {
    const rows = [...'bcdefgh'].map((name, index) => `${name}: &${name} [${`*${'abcdefg'[index]},`.repeat(9)}]`);
    const sentence = await yamlRefusal(['a: &a [x, x, x, x]', ...rows].join('\n'));
    expect(sentence).toMatch(/^parley\.yaml is not valid yaml: Excessive alias count/);
  });

  test('broken yaml is reported by its line, without its content', async () => {
    const text = 'version: 1.0.7\nendpoints: { custom: [ { apiKey: sk-secret }';
    const sentence = await refusalOf(load({}, { 'parley.yaml': text }));
    expect(sentence).toMatch(/^parley\.yaml is not valid yaml: .* at line 2, column \d+\.$/);
    expect(sentence).not.toContain('sk-secret');
  });
});

describe('a yaml file at an address', () => {
  let server: Server;
  let origin: string;

  beforeEach(async () => {
    const bodies: Record<string, string> = {
      '/good.yaml': 'version: 1.0.7\nimageOutputType: webp',
      '/large.yaml': LARGE,
    };
    server = createServer((request, response) => {
      const body = bodies[new URL(request.url ?? '/', 'http://x').pathname];
      response.writeHead(body === undefined ? 404 : 200).end(body);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const address = server.address();
    origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  });

  afterEach(() => new Promise((done) => server.close(done)));

  test('is fetched', async () => {
    expect((await load({ CONFIG_PATH: `${origin}/good.yaml?token=hunter2` })).files.imageOutputType).toBe('webp');
  });

  test.each([
    ['/none.yaml?token=hunter2', '/none.yaml cannot be fetched: it answered 404.'],
    ['/large.yaml', '/large.yaml cannot be fetched: it is larger than 1 MB.'],
  ])('%s stops the start', async (path, rest) => {
    const sentence = await envRefusal({ CONFIG_PATH: `${origin}${path}` });
    expect(sentence).toBe(`CONFIG_PATH must be a yaml file, but ${origin}${rest}`);
  });

  test('an unreachable address stops the start', async () => {
    const sentence = await envRefusal({ CONFIG_PATH: 'http://127.0.0.1:1/x.yaml' });
    expect(sentence).toMatch(
      /^CONFIG_PATH must be a yaml file, but http:\/\/127\.0\.0\.1:1\/x\.yaml cannot be fetched: /,
    );
  });
});

describe('secrets', () => {
  test('are created on the first start and kept', async () => {
    const dataDir = join(cwd, 'deep', 'data');
    const first = await loadSecrets(dataDir, {});
    expect(first).toEqual({
      jwtSecret: expect.stringMatching(/^[\da-f]{64}$/),
      refreshSecret: expect.stringMatching(/^[\da-f]{64}$/),
      credsKey: expect.stringMatching(/^[\da-f]{64}$/),
      fingerprint: expect.stringMatching(/^[\da-f]{16}$/),
      former: [],
    });
    expect(new Set(Object.values(first)).size).toBe(5);
    expect(await loadSecrets(dataDir, {})).toEqual(first);
    expect(await modeOf(dataDir)).toBe(0o700);
    expect(await modeOf(join(dataDir, 'secrets.json'))).toBe(0o600);
    expect(await readdir(dataDir)).toEqual(['secrets.json']);
  });

  test('are the same for several processes that start at once', async () => {
    const script = `
      import { loadSecrets } from '${ROOT}/server/src/config/parts/secrets.ts';
      const all = await Promise.all([1, 2, 3].map(() => loadSecrets(${JSON.stringify(cwd)}, {})));
      console.log(JSON.stringify(all));
    `;
    const outputs = await Promise.all([1, 2, 3].map(() => runTypeScript(script)));
    const secrets = outputs.flatMap((output) => JSON.parse(output).map((one: unknown) => JSON.stringify(one)));
    expect(secrets).toHaveLength(9);
    expect(new Set(secrets).size).toBe(1);
    expect(await readdir(cwd)).toEqual(['secrets.json']);
  });

  test('are taken from the environment when set there, which changes the fingerprint', async () => {
    const made = await loadSecrets(cwd, {});
    const given = await loadSecrets(cwd, { JWT_SECRET: 'a secret of my own', CREDS_KEY: HEX });
    expect(given).toMatchObject({ jwtSecret: 'a secret of my own', refreshSecret: made.refreshSecret, credsKey: HEX });
    expect(given.fingerprint).not.toBe(made.fingerprint);
  });

  test('leave no file when the environment sets all of them', async () => {
    const env = { JWT_SECRET: 'one of my secrets', JWT_REFRESH_SECRET: 'another of mine', CREDS_KEY: HEX };
    await expect(loadSecrets(cwd, env)).rejects.toThrow('JWT_REFRESH_SECRET must have at least 16 characters.');
    await loadSecrets(cwd, { ...env, JWT_REFRESH_SECRET: 'another one of mine' });
    expect(await readdir(cwd)).toEqual([]);
  });

  test('are ignored with a warning when their values are publicly known', async () => {
    const CREDS_KEY = 'f34be427ebb29de8d88c107a71546019685ed8b241d8f2ed00c3df97ad2566f0';
    const notice = 'CREDS_KEY is a published example and is ignored: a generated one is used.';
    expect((await load({ CREDS_KEY })).warnings).toEqual([notice]);
    expect((await loadSecrets(cwd, { CREDS_KEY })).credsKey).not.toBe(CREDS_KEY);
  });

  test('become private when others can read their file', async () => {
    const made = await loadSecrets(cwd, {});
    const path = join(cwd, 'secrets.json');
    await chmod(path, 0o644);
    expect(await loadSecrets(cwd, {})).toEqual(made);
    expect(await modeOf(path)).toBe(0o600);
  });

  test.each(['', '{', 'null', '{"jwtSecret":"short"}', `{"jwtSecret":"${HEX}","refreshSecret":"${HEX}"}`])(
    'in a damaged file (%j) stop the start and stay unchanged',
    async (text) => {
      const path = join(cwd, 'secrets.json');
      await writeFile(path, text, { mode: 0o600 });
      const sentence = await refusalOf(loadSecrets(cwd, {}));
      expect(sentence).toContain(`The secrets file ${path} is damaged: restore it from a backup, or remove it`);
      expect(await readFile(path, 'utf8')).toBe(text);
    },
  );

  test('need a writable folder', async () => {
    await writeFile(join(cwd, 'data'), '');
    const path = join(cwd, 'data', 'secrets.json');
    const sentence = `The secrets file ${path} cannot be used (ENOTDIR); DATA_DIR must be a writable folder.`;
    expect(await refusalOf(loadSecrets(join(cwd, 'data'), {}))).toBe(sentence);
  });
});

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777;
}

/** What a TypeScript module, run by a process of its own, writes to standard output. */
async function runTypeScript(source: string): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'parley-script-')), 'script.mts');
  await writeFile(path, source);
  const child = spawn(process.execPath, ['--import', 'tsx', path], { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  const output = await child.stdout.setEncoding('utf8').toArray();
  await rm(join(path, '..'), { recursive: true });
  return output.join('').trim();
}

test.each([
  [undefined, 'https://firebasestorage.googleapis.com'],
  ['localhost:9199', 'http://localhost:9199'],
  ['http://emulator:9199/', 'http://emulator:9199'],
])('Firebase is called at its emulator where one is named: %s', async (host, storage) => {
  const env = { ...FIREBASE, ...(host !== undefined && { FIREBASE_STORAGE_EMULATOR_HOST: host }) };
  expect((await load(env)).files.stores).toMatchObject([{ source: 'firebase', settings: { storage } }]);
});

const LARGE = `version: 1.0.7\n${'# filler\n'.repeat(130_000)}`;

const FIREBASE = { FIREBASE_API_KEY: 'key', FIREBASE_STORAGE_BUCKET: 'a.appspot.com', FIREBASE_APP_ID: '1:2:web:3' };

const WHOLE = `
version: 1.0.7
imageOutputType: webp
fileStrategy: firebase
interface:
  privacyPolicy: { externalUrl: https://example.com/privacy, openNewTab: true }
  termsOfService: { externalUrl: /terms, openNewTab: false }
registration:
  socialLogins: [discord, google]
  allowedDomains: [Example.com]
rateLimits:
  fileUploads: { ipMax: 1, ipWindowInMinutes: 2, userMax: 3, userWindowInMinutes: 4.5 }
fileConfig:
  serverFileSizeLimit: 100
  avatarSizeLimit: 2
  endpoints:
    default:
      disabled: false
      fileLimit: 5
      fileSizeLimit: 0.5
      totalSizeLimit: 50
      supportedMimeTypes: ['image/.*', '^text/(?:plain|csv)$']
    Groq: { disabled: true }
endpoints:
  assistants:
    disableBuilder: true
    timeoutMs: 10000
    supportedIds: [asst_1]
    excludedIds: [asst_2]
    retrievalModels: [gpt-4-turbo]
    capabilities: [tools]
    apiKey: user_provided
    baseURL: user_provided
    models: { default: [gpt-4], fetch: false, userIdQuery: false }
    titleConvo: true
    titleMethod: completion
    titleModel: gpt-4
    headers: { x-a: b }
  custom:
    - name: Groq
      apiKey: \${GROQ_API_KEY}
      baseURL: https://api.groq.com/openai/v1/chat/completions
      models: { default: [llama3], fetch: true, userIdQuery: true }
      titleConvo: false
      titleMethod: functions
      titleModel: current_model
      summarize: true
      summaryModel: llama3
      forcePrompt: true
      modelDisplayLabel: Groq
      iconURL: /assets/groq.png
      headers: { x-team: 'team \${TEAM}' }
      addParams: { stop: ['###'], safe_prompt: true }
      dropParams: [user]
      customOrder: 3
    - name: Mine
      apiKey: user_provided
      baseURL: user_provided
      models: { default: [a] }
  azureOpenAI:
    plugins: true
    assistants: true
    titleConvo: true
    titleMethod: completion
    titleModel: gpt-4
    summarize: false
    summaryModel: gpt-4
    customOrder: 1
    groups:
      - group: west
        apiKey: \${GROQ_API_KEY}
        instanceName: west-1
        deploymentName: deployment
        version: 2024-02-15-preview
        baseURL: https://\${INSTANCE_NAME}.example.com/\${DEPLOYMENT_NAME}
        assistants: true
        additionalHeaders: { x-a: b }
        addParams: { stop: [a] }
        dropParams: [user]
        forcePrompt: false
        models:
          gpt-4: true
          gpt-4-vision: { deploymentName: vision, version: 2024-03-01-preview, assistants: false }
      - group: mistral
        apiKey: k
        serverless: true
        baseURL: https://serverless.example.com/v1
        models: { mistral-large: true }
`;
