// Warnings about settings that have no effect or are unsafe.
import { CONFIG_VERSION } from '@parley/schema/catalog/startup';
import { ABSENT_ENDPOINT_WORDS } from './endpoint-names.ts';
import { list } from './env/env-readers.ts';
import { otherVariables } from './env/other-variables.ts';
import { unclearFlags, type Env, type RawEnv } from './env/env.ts';
import { idleVariables } from './idle-variables.ts';
import { ldapWarnings } from './parts/ldap.ts';
import { publishedSecrets } from './parts/published-secrets.ts';
import type { EndpointType } from '@parley/schema/catalog/endpoints';
import type { Yaml } from './yaml/yaml-schema.ts';

interface From {
  /** The name of the yaml file. */
  file: string | undefined;
  /** The variables that it uses. */
  variables: ReadonlySet<string>;
  ofProviders: readonly string[];
  /** The types of the endpoints that are configured and answer by themselves. */
  types: Partial<Record<EndpointType, true>>;
}

/** Warnings that do not stop the start: one sentence each, for the log. */
export function configWarnings(raw: RawEnv, env: Env, yaml: Yaml, from: From): string[] {
  const { file, variables, ofProviders, types } = from;
  return [
    ...otherVariables(raw, (name) => Object.hasOwn(env, name), variables),
    ...unverifiedWarning(env),
    ...absentEndpoints(raw),
    ...unclearFlags(raw).map((name) => `${name} is off: only the word true turns it on.`),
    ...publishedSecrets(env).map((name) => `${name} is a published example and is ignored: a generated one is used.`),
    ...ofProviders,
    ...idleVariables({ raw, env, yaml, types }),
    ...mailWarnings(env),
    ...ldapWarnings(env),
    ...(file === undefined ? [] : yamlWarnings(yaml, file)),
  ];
}

function unverifiedWarning(env: Env): string[] {
  const sendsMail = env.EMAIL_SERVICE ?? env.EMAIL_HOST;
  if (env.ALLOW_UNVERIFIED_EMAIL_LOGIN !== false || sendsMail) return [];
  return [
    'ALLOW_UNVERIFIED_EMAIL_LOGIN=false has no effect without mail: who registers signs in at once. ALLOW_REGISTRATION=false closes registration, ALLOW_SOCIAL_REGISTRATION opens it to accounts of other sites.',
  ];
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
