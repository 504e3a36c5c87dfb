// Variables that are read, but have no effect beside the other settings. Each that is set is said once at the start, with
// what it needs. Variables that no server reads are in env/other-variables.ts.
import type { EndpointType } from '@parley/schema/catalog/endpoints';
import type { Env, RawEnv } from './env/env.ts';
import { isOn } from './env/other-variables.ts';
import type { Yaml } from './yaml/yaml-schema.ts';

export interface IdleFrom {
  raw: RawEnv;
  env: Env;
  yaml: Yaml;
  /** The types of the endpoints that are configured and answer by themselves. */
  types: Partial<Record<EndpointType, true>>;
}

interface Row {
  names: readonly string[] | RegExp;
  /** Behind "has no effect": `without` what it needs, or `since` something takes its place. */
  why: string;
  acts(from: Given, name: string): boolean;
}

interface Given extends IdleFrom {
  isSet(name: string): boolean;
}

/** A variable of a site to sign in by, with the name of the site. */
const SITES = /^(GOOGLE|FACEBOOK|GITHUB|DISCORD|OPENID)_(?:CLIENT_ID|CLIENT_SECRET|CALLBACK_URL|OAUTH_URL)$|^(OPENID)_/;

const ROWS: readonly Row[] = [
  { names: ['CREDS_IV'], why: 'since CREDS_KEY alone encrypts what is kept', acts: () => false },
  { names: ['OPENID_SESSION_SECRET'], why: 'since a sign-in by OpenID needs no secret of its own', acts: () => false },
  {
    names: ['LOGIN_VIOLATION_SCORE', 'REGISTRATION_VIOLATION_SCORE'],
    why: 'since LOGIN_MAX and REGISTER_MAX limit these attempts, which never count as violations',
    acts: () => false,
  },
  { names: ['DEBUG_CONSOLE'], why: 'since LOG_LEVEL is set', acts: ({ env }) => env.LOG_LEVEL === undefined },
  needs(['DATABASE_DIRECT_URL', 'DATABASE_READ_URL', 'DATABASE_PREPARE'], 'DATABASE_URL', ({ isSet }) =>
    isSet('DATABASE_URL'),
  ),
  needs(['PUSH_HOSTS', 'VAPID_SUBJECT'], 'PUSH=on', ({ env }) => env.PUSH === 'on'),
  needs(/^OPENAI_MODERATION_/, 'OPENAI_MODERATION=true', ({ env }) => env.OPENAI_MODERATION),
  needs(['OPENAI_SUMMARY_MODEL'], 'OPENAI_SUMMARIZE=true', ({ isSet }) => isSet('OPENAI_SUMMARIZE')),
  {
    names: ['OPENAI_TITLE_MODEL', 'ANTHROPIC_TITLE_MODEL'],
    why: 'since TITLE_CONVO is off',
    acts: ({ env }) => env.TITLE_CONVO !== false,
  },
  {
    names: ['OLLAMA_URL'],
    why: 'since Ollama is looked for only where no endpoint is configured',
    acts: ({ types }) => Object.keys(types).length === 0,
  },
  ...limits(),
  ...ofProviders(),
  ...ofAccounts(),
  ...ofMail(),
  ...ofFiles(),
  ...ofTools(),
];

function needs(names: Row['names'], what: string, isGiven: (from: Given) => unknown): Row {
  return { names, why: `without ${what}`, acts: (from) => Boolean(isGiven(from)) };
}

function limits(): Row[] {
  const uploads = {
    FILE_UPLOAD_IP_MAX: 'ipMax',
    FILE_UPLOAD_IP_WINDOW: 'ipWindowInMinutes',
    FILE_UPLOAD_USER_MAX: 'userMax',
    FILE_UPLOAD_USER_WINDOW: 'userWindowInMinutes',
  } as const;
  const inYaml = new Map<string, (typeof uploads)[keyof typeof uploads]>(Object.entries(uploads));
  return [
    needs(['CONCURRENT_MESSAGE_MAX'], 'LIMIT_CONCURRENT_MESSAGES=true', ({ env }) => env.LIMIT_CONCURRENT_MESSAGES),
    needs(/^MESSAGE_IP_/, 'LIMIT_MESSAGE_IP=true', ({ env }) => env.LIMIT_MESSAGE_IP),
    needs(/^MESSAGE_USER_/, 'LIMIT_MESSAGE_USER=true', ({ env }) => env.LIMIT_MESSAGE_USER),
    needs(['BAN_DURATION', 'BAN_INTERVAL'], 'BAN_VIOLATIONS=true', ({ env }) => env.BAN_VIOLATIONS),
    {
      names: Object.keys(uploads),
      why: 'since rateLimits.fileUploads of the yaml file is set',
      acts({ yaml }, name) {
        const key = inYaml.get(name);
        return key === undefined || yaml.rateLimits?.fileUploads?.[key] === undefined;
      },
    },
  ];
}

/** Administrators may add a key in the app, which these then go with. */
function ofProviders(): Row[] {
  const key = (names: Row['names'], ...keys: string[]) =>
    needs(names, [...keys, 'a key that administrators add'].join(' or '), ({ isSet }) => keys.some(isSet));
  const hasAzureGroups = ({ yaml }: Given) => yaml.endpoints?.azureOpenAI !== undefined;
  return [
    key(/^OPENAI_(?:(?:IMAGE_)?MODELS|ORGANIZATION|FORCE_PROMPT|SUMMARIZE|SUMMARY_MODEL)$/, 'OPENAI_API_KEY'),
    {
      names: /^AZURE_(?:API_KEY|OPENAI_|USE_)/,
      why: 'since endpoints.azureOpenAI of the yaml file is set',
      acts: (from) => !hasAzureGroups(from),
    },
    {
      names: ['AZURE_OPENAI_API_KEY'],
      why: 'since AZURE_API_KEY is set',
      acts: ({ isSet }) => !isSet('AZURE_API_KEY'),
    },
    key(/^AZURE_(?:OPENAI_(?!API_KEY$)|USE_)/, 'AZURE_API_KEY', 'AZURE_OPENAI_API_KEY'),
    {
      ...key(['OPENAI_RESPONSES', 'PLUGIN_MODELS'], 'OPENAI_API_KEY', 'AZURE_API_KEY'),
      acts: (from) =>
        ['OPENAI_API_KEY', 'AZURE_API_KEY', 'AZURE_OPENAI_API_KEY'].some(from.isSet) || hasAzureGroups(from),
    },
    needs(
      ['ASSISTANTS_BASE_URL'],
      'ASSISTANTS_API_KEY',
      ({ isSet, yaml }) => isSet('ASSISTANTS_API_KEY') || yaml.endpoints?.assistants?.apiKey,
    ),
    {
      names: /^GOOGLE_SAFETY_/,
      why: 'since GOOGLE_EXCLUDE_SAFETY_SETTINGS is true',
      acts: ({ isSet }) => !isSet('GOOGLE_EXCLUDE_SAFETY_SETTINGS'),
    },
    {
      ...key(
        /^GOOGLE_(?:REVERSE_PROXY|VERTEX_REVERSE_PROXY|MODELS|LOC|SAFETY_\w+|EXCLUDE_SAFETY_SETTINGS)$/,
        'GOOGLE_KEY',
        'the key file of a service account',
      ),
      acts: ({ types, isSet }) => types.google === true || isSet('GOOGLE_KEY'),
    },
    key(/^ANTHROPIC_(?!API_KEY$)/, 'ANTHROPIC_API_KEY'),
    needs(['BINGAI_HOST'], 'BINGAI_TOKEN', ({ isSet }) => isSet('BINGAI_TOKEN')),
    needs(/^CHATGPT_(?:MODELS|REVERSE_PROXY)$/, 'CHATGPT_TOKEN', ({ isSet }) => isSet('CHATGPT_TOKEN')),
  ];
}

function ofAccounts(): Row[] {
  return [
    needs(
      /^(?:GOOGLE|FACEBOOK|GITHUB|DISCORD)_(?:CLIENT_|CALLBACK_|OAUTH_)|^OPENID_|^ALLOW_SOCIAL_REGISTRATION$|^FACTOR_AFTER_OAUTH$/,
      'ALLOW_SOCIAL_LOGIN=true',
      ({ env }) => env.ALLOW_SOCIAL_LOGIN,
    ),
    {
      names: SITES,
      why: 'since a site needs its _CLIENT_ID and its _CLIENT_SECRET, and OpenID its OPENID_ISSUER, too',
      acts({ isSet }, name) {
        const [, site = 'OPENID'] = SITES.exec(name) ?? [];
        const parts = [`${site}_CLIENT_ID`, `${site}_CLIENT_SECRET`, ...(site === 'OPENID' ? ['OPENID_ISSUER'] : [])];
        return parts.every(isSet);
      },
    },
    needs(/^OPENID_REQUIRED_ROLE_/, 'OPENID_REQUIRED_ROLE', ({ isSet }) => isSet('OPENID_REQUIRED_ROLE')),
    needs(/^OPENID_ADMIN_ROLE_/, 'OPENID_ADMIN_ROLE', ({ isSet }) => isSet('OPENID_ADMIN_ROLE')),
    needs(['OPENID_GROUPS_TOKEN_KIND'], 'OPENID_GROUPS_CLAIM', ({ isSet }) => isSet('OPENID_GROUPS_CLAIM')),
    needs(/^LDAP_(?!URL$)/, 'LDAP_URL', ({ env }) => env.LDAP_URL),
    {
      names: ['ALLOW_REGISTRATION', 'ALLOW_PASSWORD_RESET', 'ALLOW_RESET_LINK'],
      why: 'since the directory of LDAP_URL has the accounts and their passwords',
      acts: ({ env }) => !env.LDAP_URL,
    },
    {
      names: ['ALLOW_RESET_LINK'],
      why: 'since links are sent by mail, or nobody may ask for one',
      acts: ({ env }) => env.ALLOW_PASSWORD_RESET !== false && !sendsMail(env),
    },
    {
      names: ['ALLOW_SHARED_LINKS_PUBLIC'],
      why: 'since ALLOW_SHARED_LINKS is off',
      acts: ({ env }) => env.ALLOW_SHARED_LINKS !== false,
    },
  ];
}

function sendsMail({ EMAIL_SERVICE, EMAIL_HOST, EMAIL_USERNAME, EMAIL_PASSWORD, EMAIL_FROM }: Env): boolean {
  return Boolean((EMAIL_SERVICE ?? EMAIL_HOST) && EMAIL_USERNAME && EMAIL_PASSWORD && EMAIL_FROM);
}

function ofMail(): Row[] {
  return [
    {
      names: ['EMAIL_HOST', 'EMAIL_PORT', 'EMAIL_ENCRYPTION'],
      why: 'since EMAIL_SERVICE says where mail goes',
      acts: ({ env }) => !env.EMAIL_SERVICE,
    },
    needs(/^EMAIL_(?!SERVICE$|HOST$)/, 'EMAIL_SERVICE or EMAIL_HOST', ({ env }) => env.EMAIL_SERVICE ?? env.EMAIL_HOST),
  ];
}

function ofFiles(): Row[] {
  const store = (names: RegExp, ...all: string[]) =>
    needs(names, all.length > 1 ? `all of ${all.join(', ')}` : String(all[0]), ({ isSet }) => all.every(isSet));
  return [
    needs(['FILES_SCAN_FAIL_OPEN'], 'FILES_SCAN_COMMAND', ({ env }) => env.FILES_SCAN_COMMAND),
    store(/^S3_/, 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'),
    store(/^FIREBASE_/, 'FIREBASE_API_KEY', 'FIREBASE_STORAGE_BUCKET', 'FIREBASE_APP_ID'),
    store(/^OPENAI_FILES_/, 'OPENAI_FILES_API_KEY'),
    {
      names: ['EMBEDDINGS_ENDPOINT', 'EMBEDDINGS_MODEL'],
      why: 'since the service at RAG_API_URL finds what is in files',
      acts: ({ env }) => !env.RAG_API_URL,
    },
    needs(['EMBEDDINGS_MODEL'], 'EMBEDDINGS_ENDPOINT', ({ env }) => env.EMBEDDINGS_ENDPOINT),
    needs(['RAG_USE_FULL_CONTEXT'], 'RAG_API_URL', ({ env }) => env.RAG_API_URL),
    speechKey('STT_API_KEY', 'stt'),
    speechKey('TTS_API_KEY', 'tts'),
  ];
}

/** OpenAI's, or that of a server in its place. */
function speechKey(name: string, part: 'stt' | 'tts'): Row {
  return {
    names: [name],
    why: `since speech.${part} of the yaml file is a service with a key of its own`,
    acts({ yaml, raw }) {
      const services = yaml.speech?.[part];
      // The file may name the variable itself.
      const keys: unknown[] = [undefined, '', raw[name]?.trim()];
      return !services || (services.openai !== undefined && keys.includes(services.openai.apiKey));
    },
  };
}

function ofTools(): Row[] {
  return [
    {
      names:
        /^AGENT_MAX_|^TOOL_CALLS_PER_MINUTE$|^REST_ACTIONS_ASK$|^INTERPRETER_COMMAND$|^PLUGINS_OPENAPI|^WEB_PAGE_HOSTS$/,
      why: 'since TOOLS is off',
      acts: ({ env }) => env.TOOLS !== 'off',
    },
    { names: ['REST_ACTIONS_ASK'], why: 'since ACTIONS is off', acts: ({ env }) => env.ACTIONS !== 'off' },
    { names: ['INTERPRETER_COMMAND'], why: 'since INTERPRETER is off', acts: ({ env }) => env.INTERPRETER !== 'off' },
    needs(['PLUGINS_OPENAPI_DOCUMENTS'], 'PLUGINS_OPENAPI=true', ({ env }) => env.PLUGINS_OPENAPI),
  ];
}

/** One sentence for all variables of a row that are set. What is off has no effect anywhere. */
export function idleVariables(from: IdleFrom): string[] {
  const isSet = (name: string) => isOn(from.raw[name]);
  const given = { ...from, isSet };
  const left = new Set(Object.keys(from.raw).filter((name) => Object.hasOwn(from.env, name) && isSet(name)));
  return ROWS.flatMap(({ names, why, acts }) => {
    const idle = [...left].filter((name) => isOf(names, name) && !acts(given, name)).toSorted();
    for (const name of idle) left.delete(name);
    return idle.length === 0 ? [] : [`${idle.join(', ')} ${idle.length === 1 ? 'has' : 'have'} no effect ${why}.`];
  });
}

function isOf(names: Row['names'], name: string): boolean {
  return names instanceof RegExp ? names.test(name) : names.includes(name);
}
