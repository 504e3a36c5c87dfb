// Warnings about settings that have no effect or are unsafe.
import { CONFIG_VERSION } from '@parley/schema/catalog/startup';
import { ABSENT_ENDPOINT_WORDS } from './endpoint-names.ts';
import { list } from './env/env-readers.ts';
import { unclearFlags, type Env, type RawEnv } from './env/env.ts';
import { publishedSecrets } from './parts/published-secrets.ts';
import type { Yaml } from './yaml/yaml-schema.ts';

/** Variables of other products' configurations that have no effect here, and what to do instead. */
const IGNORED_SETTINGS: readonly [names: readonly string[], instead: string][] = [
  [['MONGO_URI'], 'Parley keeps its data in PostgreSQL, see DATABASE_URL'],
  [['USE_REDIS', 'REDIS_URI'], 'Parley needs no Redis, processes tell each other through PostgreSQL'],
  [['MEILI_HOST', 'MEILI_MASTER_KEY', 'MEILI_NO_ANALYTICS'], 'Parley searches in PostgreSQL'],
  [['DEBUG_LOGGING', 'DEBUG_OPENAI', 'DEBUG_PLUGINS'], 'LOG_LEVEL=debug logs more'],
  [['LDAP_URL'], 'Parley has no sign-in by LDAP, only by OpenID and some sites'],
  [['BEDROCK_AWS_DEFAULT_REGION'], 'Parley has no endpoint for Bedrock'],
  [['STT_API_KEY'], 'Parley does not turn speech into text'],
  [['TTS_API_KEY'], 'Parley does not read answers aloud'],
  [['OPENROUTER_API_KEY'], 'add OpenRouter as a custom endpoint of the yaml file'],
  [['AZURE_OPENAI_API_EMBEDDINGS_DEPLOYMENT_NAME'], 'EMBEDDINGS_ENDPOINT and EMBEDDINGS_MODEL say who embeds'],
];

/** Warnings that do not stop the start: one sentence each, for the log. */
export function warningsOf(
  raw: RawEnv,
  env: Env,
  yaml: Yaml,
  { file, ofProviders }: { file: string | undefined; ofProviders: readonly string[] },
): string[] {
  return [
    ...IGNORED_SETTINGS.flatMap(([names, instead]) => ignoredWarning(raw, names, instead)),
    ...absentEndpoints(raw),
    ...unclearFlags(raw).map((name) => `${name} is off: only the word true turns it on.`),
    ...publishedSecrets(env).map((name) => `${name} is a published example and is ignored: a generated one is used.`),
    ...ofProviders,
    ...mailWarnings(env),
    ...(file === undefined ? [] : yamlWarnings(yaml, file)),
  ];
}

/** One sentence for all that are set; a flag that is off has no effect anywhere. */
function ignoredWarning(raw: RawEnv, names: readonly string[], instead: string): string[] {
  const given = names.filter((name) => raw[name] && raw[name]?.toLowerCase() !== 'false');
  if (given.length === 0) return [];
  return [`${given.join(', ')} ${given.length === 1 ? 'is' : 'are'} not read: ${instead}.`];
}

function absentEndpoints({ ENDPOINTS: words }: RawEnv): string[] {
  const absent = [...new Set(list(words))].filter((word) => ABSENT_ENDPOINT_WORDS.includes(word));
  return absent.length > 0 ? [`ENDPOINTS leaves out ${absent.join(', ')}: Parley has no such endpoints.`] : [];
}

/** An incomplete mail configuration sends nothing. */
function mailWarnings(env: Env): string[] {
  const carrier = env.EMAIL_SERVICE ? 'EMAIL_SERVICE' : env.EMAIL_HOST && 'EMAIL_HOST';
  const missing = (['EMAIL_USERNAME', 'EMAIL_PASSWORD', 'EMAIL_FROM'] as const).filter((name) => !env[name]);
  return carrier && missing.length > 0 ? [`No mail is sent: ${carrier} is given, but not ${missing.join(', ')}.`] : [];
}

function yamlWarnings({ version = '', endpoints }: Yaml, file: string): string[] {
  const { supportedIds, excludedIds } = endpoints?.assistants ?? {};
  return [
    ...(version === CONFIG_VERSION ? [] : [versionWarning(version, file)]),
    ...titledByFunctions(endpoints).map(
      (name) => `In ${file}, titleMethod functions of ${name} has no effect: titles are asked for as plain text.`,
    ),
    ...(supportedIds && excludedIds
      ? [`In ${file}, endpoints.assistants.excludedIds is ignored, because supportedIds is given.`]
      : []),
  ];
}

function titledByFunctions(endpoints: Yaml['endpoints']): string[] {
  const custom = (endpoints?.custom ?? []).filter(({ titleMethod }) => titleMethod === 'functions');
  const own = (['azureOpenAI', 'assistants'] as const).filter((name) => endpoints?.[name]?.titleMethod === 'functions');
  return [...own, ...custom.map(({ name }) => name)];
}

function versionWarning(version: string, file: string): string {
  const order = version.localeCompare(CONFIG_VERSION, 'en', { numeric: true });
  const age = order < 0 ? 'older' : 'newer';
  return `In ${file}, version ${JSON.stringify(version)} is ${age} than ${CONFIG_VERSION}, by which it was read.`;
}
