// Each variable changes what the server does, or the start says in one sentence that it has no effect here.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@parley/server/load-config';
import { isConfigError } from '@parley/server/config/config-error';
import { NAMES, type EnvRows } from '@parley/server/config/env/env';
import { SITES } from '@parley/server/auth/oauth/sites/sites';
import { STORES } from '@parley/server/files/stores/stores';
import { PLUGIN_VARIABLES } from '@parley/server/plugins/manifest';
import { joinEnvRows } from '@parley/server/providers/endpoints-config';
import { PROVIDERS } from '@parley/server/providers/providers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

type Variables = Record<string, string>;

let cwd: string;

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'parley-idle-'));
  await mkdir(join(cwd, 'folder'));
  await writeFile(join(cwd, 'other.yaml'), 'version: 1.0.7\nimageOutputType: webp\n');
});
afterAll(() => rm(cwd, { recursive: true, force: true }));

async function idleBy(env: Variables, yaml = ''): Promise<string[]> {
  const file = join(cwd, 'parley.yaml');
  await writeFile(file, `version: 1.0.7\n${yaml}`);
  const { warnings } = await loadConfig({ env: { ...env, CONFIG_PATH: file }, cwd });
  return warnings.filter((line) => / no effect (?:since|without) /.test(line));
}

interface Case {
  env: Variables;
  yaml?: string;
  said: string;
  /** What is added for the variable to act; absent where it never does. */
  acts?: { env?: Variables; without?: string[]; yaml?: string };
}

const url = 'https://x.example';
const site = { ALLOW_SOCIAL_LOGIN: 'true' };
const openid = { OPENID_CLIENT_ID: 'i', OPENID_CLIENT_SECRET: 's', OPENID_ISSUER: url };
const ldap = { LDAP_URL: 'ldaps://x.example', LDAP_USER_SEARCH_BASE: 'dc=x' };
const mail = { EMAIL_HOST: 'x.example', EMAIL_USERNAME: 'u', EMAIL_PASSWORD: 'p', EMAIL_FROM: 'a@x.example' };
const azure = { AZURE_API_KEY: 'k', AZURE_OPENAI_API_INSTANCE_NAME: 'i', AZURE_OPENAI_API_DEPLOYMENT_NAME: 'd' };
const groups =
  'endpoints:\n  azureOpenAI:\n    groups:\n      - {group: g, apiKey: k, instanceName: i, version: v, models: {m: {deploymentName: d}}}\n';

const CASES: Case[] = [
  { env: { CREDS_IV: 'ab'.repeat(16) }, said: 'CREDS_IV has no effect since CREDS_KEY alone encrypts what is kept.' },
  {
    env: { ...site, ...openid, OPENID_SESSION_SECRET: 's' },
    said: 'OPENID_SESSION_SECRET has no effect since a sign-in by OpenID needs no secret of its own.',
  },
  {
    env: { LOGIN_VIOLATION_SCORE: '2', BAN_VIOLATIONS: 'true' },
    said: 'LOGIN_VIOLATION_SCORE has no effect since LOGIN_MAX and REGISTER_MAX limit these attempts, which never count as violations.',
  },
  {
    env: { DEBUG_CONSOLE: 'true', LOG_LEVEL: 'warn' },
    said: 'DEBUG_CONSOLE has no effect since LOG_LEVEL is set.',
    acts: { without: ['LOG_LEVEL'] },
  },
  {
    env: {
      DATABASE_DIRECT_URL: 'postgres://u@x.example/d',
      DATABASE_READ_URL: 'postgres://u@x.example/d',
      DATABASE_PREPARE: 'off',
    },
    said: 'DATABASE_DIRECT_URL, DATABASE_PREPARE, DATABASE_READ_URL have no effect without DATABASE_URL.',
    acts: { env: { DATABASE_URL: 'postgres://u@y.example/d' } },
  },
  {
    env: { PUSH_HOSTS: 'push.example', VAPID_SUBJECT: 'mailto:a@x.example' },
    said: 'PUSH_HOSTS, VAPID_SUBJECT have no effect without PUSH=on.',
    acts: { env: { PUSH: 'on' } },
  },
  {
    env: { OPENAI_MODERATION_API_KEY: 'k', OPENAI_MODERATION_REVERSE_PROXY: url },
    said: 'OPENAI_MODERATION_API_KEY, OPENAI_MODERATION_REVERSE_PROXY have no effect without OPENAI_MODERATION=true.',
    acts: { env: { OPENAI_MODERATION: 'true' } },
  },
  {
    env: { OPENAI_API_KEY: 'k', OPENAI_SUMMARY_MODEL: 'm' },
    said: 'OPENAI_SUMMARY_MODEL has no effect without OPENAI_SUMMARIZE=true.',
    acts: { env: { OPENAI_SUMMARIZE: 'true' } },
  },
  {
    env: { OPENAI_API_KEY: 'k', OPENAI_TITLE_MODEL: 'm', TITLE_CONVO: 'false' },
    said: 'OPENAI_TITLE_MODEL has no effect since TITLE_CONVO is off.',
    acts: { without: ['TITLE_CONVO'] },
  },
  {
    env: { OPENAI_API_KEY: 'k', OLLAMA_URL: url },
    said: 'OLLAMA_URL has no effect since Ollama is looked for only where no endpoint is configured.',
    acts: { without: ['OPENAI_API_KEY'] },
  },
  {
    env: { CONCURRENT_MESSAGE_MAX: '3' },
    said: 'CONCURRENT_MESSAGE_MAX has no effect without LIMIT_CONCURRENT_MESSAGES=true.',
    acts: { env: { LIMIT_CONCURRENT_MESSAGES: 'true' } },
  },
  {
    env: { MESSAGE_IP_MAX: '3', MESSAGE_IP_WINDOW: '2' },
    said: 'MESSAGE_IP_MAX, MESSAGE_IP_WINDOW have no effect without LIMIT_MESSAGE_IP=true.',
    acts: { env: { LIMIT_MESSAGE_IP: 'true' } },
  },
  {
    env: { MESSAGE_USER_MAX: '3' },
    said: 'MESSAGE_USER_MAX has no effect without LIMIT_MESSAGE_USER=true.',
    acts: { env: { LIMIT_MESSAGE_USER: 'true' } },
  },
  {
    env: { BAN_DURATION: '1000', BAN_INTERVAL: '5' },
    said: 'BAN_DURATION, BAN_INTERVAL have no effect without BAN_VIOLATIONS=true.',
    acts: { env: { BAN_VIOLATIONS: 'true' } },
  },
  {
    env: { FILE_UPLOAD_IP_MAX: '3' },
    yaml: 'rateLimits: {fileUploads: {ipMax: 9}}',
    said: 'FILE_UPLOAD_IP_MAX has no effect since rateLimits.fileUploads of the yaml file is set.',
    acts: { yaml: 'rateLimits: {fileUploads: {userMax: 9}}' },
  },
  {
    env: { OPENAI_IMAGE_MODELS: 'i', OPENAI_MODELS: 'm', OPENAI_ORGANIZATION: 'o' },
    said: 'OPENAI_IMAGE_MODELS, OPENAI_MODELS, OPENAI_ORGANIZATION have no effect without OPENAI_API_KEY or a key that administrators add.',
    acts: { env: { OPENAI_API_KEY: 'user_provided' } },
  },
  {
    env: azure,
    yaml: groups,
    said: 'AZURE_API_KEY, AZURE_OPENAI_API_DEPLOYMENT_NAME, AZURE_OPENAI_API_INSTANCE_NAME have no effect since endpoints.azureOpenAI of the yaml file is set.',
    acts: { yaml: '', env: { AZURE_OPENAI_API_VERSION: 'v' } },
  },
  {
    env: { ...azure, AZURE_OPENAI_API_VERSION: 'v', AZURE_OPENAI_API_KEY: 'other' },
    said: 'AZURE_OPENAI_API_KEY has no effect since AZURE_API_KEY is set.',
    acts: { without: ['AZURE_API_KEY'] },
  },
  {
    env: { AZURE_OPENAI_MODELS: 'm', AZURE_USE_MODEL_AS_DEPLOYMENT_NAME: 'true' },
    said: 'AZURE_OPENAI_MODELS, AZURE_USE_MODEL_AS_DEPLOYMENT_NAME have no effect without AZURE_API_KEY or AZURE_OPENAI_API_KEY or a key that administrators add.',
    acts: { env: { AZURE_API_KEY: 'user_provided' } },
  },
  {
    env: { OPENAI_RESPONSES: 'true', PLUGIN_MODELS: 'm' },
    said: 'OPENAI_RESPONSES, PLUGIN_MODELS have no effect without OPENAI_API_KEY or AZURE_API_KEY or a key that administrators add.',
    acts: { env: { OPENAI_API_KEY: 'k' } },
  },
  {
    env: { ASSISTANTS_BASE_URL: url },
    said: 'ASSISTANTS_BASE_URL has no effect without ASSISTANTS_API_KEY.',
    acts: { env: { ASSISTANTS_API_KEY: 'k' } },
  },
  {
    env: { GOOGLE_KEY: 'k', GOOGLE_EXCLUDE_SAFETY_SETTINGS: 'true', GOOGLE_SAFETY_HARASSMENT: 'OFF' },
    said: 'GOOGLE_SAFETY_HARASSMENT has no effect since GOOGLE_EXCLUDE_SAFETY_SETTINGS is true.',
    acts: { without: ['GOOGLE_EXCLUDE_SAFETY_SETTINGS'] },
  },
  {
    env: { GOOGLE_LOC: 'global', GOOGLE_MODELS: 'm' },
    said: 'GOOGLE_LOC, GOOGLE_MODELS have no effect without GOOGLE_KEY or the key file of a service account or a key that administrators add.',
    acts: { env: { GOOGLE_KEY: 'user_provided' } },
  },
  {
    env: { ANTHROPIC_MODELS: 'm' },
    said: 'ANTHROPIC_MODELS has no effect without ANTHROPIC_API_KEY or a key that administrators add.',
    acts: { env: { ANTHROPIC_API_KEY: 'k' } },
  },
  {
    env: { BINGAI_HOST: url },
    said: 'BINGAI_HOST has no effect without BINGAI_TOKEN.',
    acts: { env: { BINGAI_TOKEN: 'user_provided' } },
  },
  {
    env: { CHATGPT_MODELS: 'm' },
    said: 'CHATGPT_MODELS has no effect without CHATGPT_TOKEN.',
    acts: { env: { CHATGPT_TOKEN: 'user_provided' } },
  },
  {
    env: { ALLOW_SOCIAL_REGISTRATION: 'true', FACTOR_AFTER_OAUTH: 'true', ...openid },
    said: 'ALLOW_SOCIAL_REGISTRATION, FACTOR_AFTER_OAUTH, OPENID_CLIENT_ID, OPENID_CLIENT_SECRET, OPENID_ISSUER have no effect without ALLOW_SOCIAL_LOGIN=true.',
    acts: { env: site },
  },
  {
    env: { ...site, GITHUB_CLIENT_ID: 'i', OPENID_CLIENT_ID: 'i', OPENID_CLIENT_SECRET: 's' },
    said: 'GITHUB_CLIENT_ID, OPENID_CLIENT_ID, OPENID_CLIENT_SECRET have no effect since a site needs its _CLIENT_ID and its _CLIENT_SECRET, and OpenID its OPENID_ISSUER, too.',
    acts: { env: { GITHUB_CLIENT_SECRET: 's', OPENID_ISSUER: url } },
  },
  {
    env: { ...site, ...openid, OPENID_REQUIRED_ROLE_TOKEN_KIND: 'id', OPENID_REQUIRED_ROLE_PARAMETER_PATH: 'p' },
    said: 'OPENID_REQUIRED_ROLE_PARAMETER_PATH, OPENID_REQUIRED_ROLE_TOKEN_KIND have no effect without OPENID_REQUIRED_ROLE.',
    acts: { env: { OPENID_REQUIRED_ROLE: 'r' } },
  },
  {
    env: { ...site, ...openid, OPENID_ADMIN_ROLE_TOKEN_KIND: 'id', OPENID_ADMIN_ROLE_PARAMETER_PATH: 'p' },
    said: 'OPENID_ADMIN_ROLE_PARAMETER_PATH, OPENID_ADMIN_ROLE_TOKEN_KIND have no effect without OPENID_ADMIN_ROLE.',
    acts: { env: { OPENID_ADMIN_ROLE: 'r' } },
  },
  {
    env: { ...site, ...openid, OPENID_GROUPS_TOKEN_KIND: 'id' },
    said: 'OPENID_GROUPS_TOKEN_KIND has no effect without OPENID_GROUPS_CLAIM.',
    acts: { env: { OPENID_GROUPS_CLAIM: 'groups' } },
  },
  {
    env: { LDAP_BIND_DN: 'cn=x', LDAP_STARTTLS: 'true' },
    said: 'LDAP_BIND_DN, LDAP_STARTTLS have no effect without LDAP_URL.',
    acts: { env: { LDAP_URL: 'ldap://x.example', LDAP_USER_SEARCH_BASE: 'dc=x', LDAP_BIND_CREDENTIALS: 'p' } },
  },
  {
    env: { ...ldap, ALLOW_REGISTRATION: 'true', ALLOW_PASSWORD_RESET: 'true' },
    said: 'ALLOW_PASSWORD_RESET, ALLOW_REGISTRATION have no effect since the directory of LDAP_URL has the accounts and their passwords.',
    acts: { without: Object.keys(ldap) },
  },
  {
    env: { ...mail, ALLOW_RESET_LINK: 'true' },
    said: 'ALLOW_RESET_LINK has no effect since links are sent by mail, or nobody may ask for one.',
    acts: { without: Object.keys(mail) },
  },
  {
    env: { ALLOW_SHARED_LINKS: 'false', ALLOW_SHARED_LINKS_PUBLIC: 'true' },
    said: 'ALLOW_SHARED_LINKS_PUBLIC has no effect since ALLOW_SHARED_LINKS is off.',
    acts: { without: ['ALLOW_SHARED_LINKS'] },
  },
  {
    env: { ...mail, EMAIL_SERVICE: 'gmail', EMAIL_PORT: '26' },
    said: 'EMAIL_HOST, EMAIL_PORT have no effect since EMAIL_SERVICE says where mail goes.',
    acts: { without: ['EMAIL_SERVICE'] },
  },
  {
    env: { EMAIL_FROM_NAME: 'n', EMAIL_ENCRYPTION: 'tls' },
    said: 'EMAIL_ENCRYPTION, EMAIL_FROM_NAME have no effect without EMAIL_SERVICE or EMAIL_HOST.',
    acts: { env: mail },
  },
  {
    env: { FILES_SCAN_FAIL_OPEN: 'true' },
    said: 'FILES_SCAN_FAIL_OPEN has no effect without FILES_SCAN_COMMAND.',
    acts: { env: { FILES_SCAN_COMMAND: 'scan' } },
  },
  {
    env: { S3_BUCKET: 'b', S3_REGION: 'r' },
    said: 'S3_BUCKET, S3_REGION have no effect without all of S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY.',
    acts: { env: { S3_ACCESS_KEY_ID: 'i', S3_SECRET_ACCESS_KEY: 's' } },
  },
  {
    env: { FIREBASE_PROJECT_ID: 'p' },
    said: 'FIREBASE_PROJECT_ID has no effect without all of FIREBASE_API_KEY, FIREBASE_STORAGE_BUCKET, FIREBASE_APP_ID.',
    acts: { env: { FIREBASE_API_KEY: 'k', FIREBASE_STORAGE_BUCKET: 'b', FIREBASE_APP_ID: 'a' } },
  },
  {
    env: { OPENAI_FILES_BASE_URL: url },
    said: 'OPENAI_FILES_BASE_URL has no effect without OPENAI_FILES_API_KEY.',
    acts: { env: { OPENAI_FILES_API_KEY: 'k' } },
  },
  {
    env: { OPENAI_API_KEY: 'k', RAG_API_URL: url, EMBEDDINGS_ENDPOINT: 'openAI', EMBEDDINGS_MODEL: 'm' },
    said: 'EMBEDDINGS_ENDPOINT, EMBEDDINGS_MODEL have no effect since the service at RAG_API_URL finds what is in files.',
    acts: { without: ['RAG_API_URL'] },
  },
  {
    env: { OPENAI_API_KEY: 'k', EMBEDDINGS_MODEL: 'm' },
    said: 'EMBEDDINGS_MODEL has no effect without EMBEDDINGS_ENDPOINT.',
    acts: { env: { EMBEDDINGS_ENDPOINT: 'openAI' } },
  },
  {
    env: { RAG_USE_FULL_CONTEXT: 'true' },
    said: 'RAG_USE_FULL_CONTEXT has no effect without RAG_API_URL.',
    acts: { env: { RAG_API_URL: url } },
  },
  {
    env: { STT_API_KEY: 'k' },
    yaml: 'speech: { stt: { openai: { apiKey: own } } }\n',
    said: 'STT_API_KEY has no effect since speech.stt of the yaml file is a service with a key of its own.',
    acts: { yaml: 'speech: { stt: { openai: { apiKey: k } } }\n' },
  },
  {
    env: { TTS_API_KEY: 'k' },
    yaml: 'speech: { tts: { localai: { url: http://x.example/tts, voices: [v] } } }\n',
    said: 'TTS_API_KEY has no effect since speech.tts of the yaml file is a service with a key of its own.',
    acts: { yaml: 'speech: { tts: { openai: { model: tts-1 } } }\n' },
  },
  {
    env: { TOOLS: 'off', AGENT_MAX_STEPS: '3', WEB_PAGE_HOSTS: '*' },
    said: 'AGENT_MAX_STEPS, WEB_PAGE_HOSTS have no effect since TOOLS is off.',
    acts: { without: ['TOOLS'] },
  },
  {
    env: { ACTIONS: 'off', REST_ACTIONS_ASK: 'true' },
    said: 'REST_ACTIONS_ASK has no effect since ACTIONS is off.',
    acts: { without: ['ACTIONS'] },
  },
  {
    env: { INTERPRETER: 'off', INTERPRETER_COMMAND: 'python' },
    said: 'INTERPRETER_COMMAND has no effect since INTERPRETER is off.',
    acts: { without: ['INTERPRETER'] },
  },
  {
    env: { PLUGINS_OPENAPI_DOCUMENTS: `scholarai=${url}/openapi.yaml` },
    said: 'PLUGINS_OPENAPI_DOCUMENTS has no effect without PLUGINS_OPENAPI=true.',
    acts: { env: { PLUGINS_OPENAPI: 'true' } },
  },
];

describe('the start of a server says what has no effect', () => {
  test.each(CASES)('$said', async ({ env, yaml = '', said, acts }) => {
    expect(await idleBy(env, yaml)).toEqual([said]);
    if (!acts) return;
    const left = Object.entries(env).filter(([name]) => !acts.without?.includes(name));
    expect(await idleBy({ ...Object.fromEntries(left), ...acts.env }, acts.yaml ?? yaml)).toEqual([]);
  });
});

describe('a variable by itself', () => {
  /** They are read apart from the configuration: secrets, and values of plugins when people use one. */
  const apart = new Set([
    'JWT_SECRET',
    'JWT_REFRESH_SECRET',
    'CREDS_KEY',
    'CREDS_KEY_OLD',
    ...Object.keys(PLUGIN_VARIABLES),
  ]);
  const rows: EnvRows = { ...NAMES, ...joinEnvRows([...PROVIDERS, ...STORES, ...SITES]) };
  /** Needs a file or another variable, without which the start is refused. */
  const refused = new Set([
    'AZURE_API_KEY',
    'AZURE_OPENAI_API_KEY',
    'EMBEDDINGS_ENDPOINT',
    'EMBEDDINGS_MODELS',
    'GOOGLE_SERVICE_KEY_FILE',
    'LDAP_URL',
  ]);

  test('changes the configuration, or the start says that it has no effect', async () => {
    const values = [
      'word',
      'false',
      'true',
      '2',
      '8',
      '9',
      '5000000',
      '86400000',
      'off',
      'on',
      'still',
      'all',
      'debug',
      'tls',
      'id',
      'gmail',
    ];
    const longer = ['https://x.example', 'postgres://u:p@x.example/d', 'ab'.repeat(32), 'ab'.repeat(16), 'EUR 0.92'];
    const shaped = ['x.example', 'a@x.example', 'anthropic', 'BLOCK_NONE', `k=${url}/a.yaml`];
    const paths = [join(cwd, 'folder'), join(cwd, 'other.yaml')];
    const plain = await treeOf({});
    const silent: string[] = [];
    for (const [name, read] of Object.entries(rows)) {
      if (apart.has(name) || refused.has(name)) continue;
      const own = name === 'CONFIG_PATH' ? paths.slice(1) : name.endsWith('_DIR') ? paths : [];
      const given = [...own, ...values, ...longer, ...shaped].filter((value) => isValid(() => read(value, name)));
      if (!(await isSeen(name, given, plain))) silent.push(name);
    }
    expect(silent).toEqual([]);
  });

  async function isSeen(name: string, values: readonly string[], plain: string): Promise<boolean> {
    for (const value of values) {
      const tree = await treeOf({ [name]: value }, name).catch(unlessRefused);
      if (tree !== null && tree !== plain) return true;
    }
    return false;
  }

  /** Null where the start is refused with a sentence. */
  function unlessRefused(error: unknown): null {
    if (isConfigError(error)) return null;
    throw error;
  }

  /** The configuration, and what is said of one variable. */
  async function treeOf(env: Variables, about = ' '): Promise<string> {
    const { warnings, ...tree } = await loadConfig({ env, cwd: join(cwd, 'folder') });
    return JSON.stringify([tree, warnings.some((line) => line.split(/[ ,]/).includes(about))]);
  }
});

function isValid(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}
