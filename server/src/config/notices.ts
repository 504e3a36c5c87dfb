import { CONFIG_VERSION } from '@parley/schema/startup';
import { toBaseUrl } from './addresses.ts';
import type { Env, RawEnv } from './env.ts';
import { publishedSecrets } from './published-secrets.ts';
import type { Yaml } from './yaml-schema.ts';

/** Variables that a configuration brought along may hold, and what to do instead. */
const NOT_READ: Record<string, string> = {
  MONGO_URI: 'Parley keeps its data in PostgreSQL, see DATABASE_URL',
  OPENROUTER_API_KEY: 'add OpenRouter as a custom endpoint of the yaml file',
};

/** What the operator should know though it does not stop the start: one sentence each, for the log. */
export function noticesOf(raw: RawEnv, env: Env, yaml: Yaml, file: string | undefined): string[] {
  return [
    ...Object.entries(NOT_READ).flatMap(([name, instead]) => (raw[name] ? [`${name} is not read: ${instead}.`] : [])),
    ...publishedSecrets(env).map((name) => `${name} is a published example and is ignored: a generated one is used.`),
    ...baseUrlNotices(env),
    ...azureNotices(env, yaml),
    ...mailNotices(env),
    ...(file === undefined ? [] : yamlNotices(yaml, file)),
  ];
}

function baseUrlNotices({ OPENAI_REVERSE_PROXY: url }: Env): string[] {
  const isUsual = url === undefined || !URL.canParse(url) || toBaseUrl(url).endsWith('/v1');
  return isUsual ? [] : ['OPENAI_REVERSE_PROXY does not end in /v1; it is used as it is.'];
}

/** The yaml file is the more exact of the two ways to configure Azure. */
function azureNotices({ AZURE_API_KEY, AZURE_OPENAI_API_KEY }: Env, { endpoints }: Yaml): string[] {
  const given = AZURE_API_KEY ?? AZURE_OPENAI_API_KEY;
  return given && endpoints?.azureOpenAI
    ? ['The AZURE_ variables are ignored, because the yaml file has endpoints.azureOpenAI.']
    : [];
}

/** Half of the settings sends nothing. */
function mailNotices(env: Env): string[] {
  const carrier = env.EMAIL_SERVICE ? 'EMAIL_SERVICE' : env.EMAIL_HOST && 'EMAIL_HOST';
  const missing = (['EMAIL_USERNAME', 'EMAIL_PASSWORD', 'EMAIL_FROM'] as const).filter((name) => !env[name]);
  return carrier && missing.length > 0 ? [`No mail is sent: ${carrier} is given, but not ${missing.join(', ')}.`] : [];
}

function yamlNotices({ version = '', endpoints }: Yaml, file: string): string[] {
  const { supportedIds, excludedIds } = endpoints?.assistants ?? {};
  return [
    ...(version === CONFIG_VERSION ? [] : [versionNotice(version, file)]),
    ...(supportedIds && excludedIds
      ? [`In ${file}, endpoints.assistants.excludedIds is ignored, because supportedIds is given.`]
      : []),
  ];
}

function versionNotice(version: string, file: string): string {
  const order = version.localeCompare(CONFIG_VERSION, 'en', { numeric: true });
  const age = order < 0 ? 'older' : 'newer';
  return `In ${file}, version ${JSON.stringify(version)} is ${age} than ${CONFIG_VERSION}, by which it was read.`;
}
