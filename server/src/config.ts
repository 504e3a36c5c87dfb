// Configuration: what the environment, .env and the yaml file say, parsed once at the start into one typed, frozen tree.
// First each source by itself (config/env.ts, config/yaml.ts), then the tree, part by part, with its defaults. Whatever
// cannot be meant stops the start with a sentence, a ConfigError.

import { accountsConfig, type AccountsConfig } from './config/accounts.ts';
import type { BirthdayIcon } from './config/birthday.ts';
import { endpointsConfig, type EndpointsConfig } from './config/endpoints.ts';
import { gatherProblems } from './config/config-error.ts';
import { text } from './config/env-readers.ts';
import { parseEnv, type Env, type RawEnv } from './config/env.ts';
import { readEnvironment } from './config/environment.ts';
import { filesConfig, type FilesConfig } from './config/files.ts';
import { deepFreeze, type DeepReadonly } from './config/freeze.ts';
import {
  bansConfig,
  limitsConfig,
  moderationConfig,
  type BansConfig,
  type LimitsConfig,
  type ModerationConfig,
} from './config/limits.ts';
import { readServiceKey } from './config/google-service-key.ts';
import { mailConfig, type MailConfig } from './config/mail.ts';
import { noticesOf } from './config/notices.ts';
import {
  databaseConfig,
  logConfig,
  serverConfig,
  type DatabaseConfig,
  type LogConfig,
  type ServerConfig,
} from './config/server.ts';
import { startupFacts, type StartupFacts } from './config/startup.ts';
import { readYamlFile } from './config/yaml-file.ts';
import type { Yaml } from './config/yaml-schema.ts';
import { parseYaml } from './config/yaml.ts';

export type Config = DeepReadonly<{
  server: ServerConfig;
  log: LogConfig;
  database: DatabaseConfig;
  startup: StartupFacts;
  /** For `showsBirthdayIcon`, asked at each request. */
  birthdayIcon: BirthdayIcon;
  accounts: AccountsConfig;
  endpoints: EndpointsConfig;
  limits: LimitsConfig;
  bans: BansConfig;
  moderation: ModerationConfig;
  mail: MailConfig;
  files: FilesConfig;
  search: { enabled: boolean };
  /** Keep lists of models and endpoints between requests. */
  cache: boolean;
  /** Sentences for the log: nothing that stops the start. */
  notices: string[];
  /** All variables, `.env` included. Holds every secret, so it is hidden from whatever prints or copies the tree. */
  env: Record<string, string>;
}>;

/**
 * Reads the configuration of a server started in `cwd` with the variables `env`. Throws a ConfigError with a sentence
 * for each setting that is wrong.
 */
export async function loadConfig(from: { env: RawEnv; cwd: string }): Promise<Config> {
  const raw = await readEnvironment(from.env, from.cwd);
  const { env, yaml, file } = await parseSources(raw, from.cwd);
  const server = serverConfig(env, from.cwd);
  const accounts = accountsConfig(env, yaml, server);
  const mail = await mailConfig(env);
  const serviceKey = await readServiceKey(env.GOOGLE_SERVICE_KEY_FILE, { cwd: from.cwd, dataDir: server.dataDir });
  const tree = {
    server,
    log: logConfig(env),
    database: databaseConfig(env),
    startup: startupFacts(env, yaml, server, accounts, mail),
    birthdayIcon: env.SHOW_BIRTHDAY_ICON,
    accounts,
    endpoints: endpointsConfig(env, yaml, serviceKey),
    limits: limitsConfig(env, yaml),
    bans: bansConfig(env),
    moderation: moderationConfig(env),
    mail,
    files: filesConfig(yaml),
    search: { enabled: env.SEARCH ?? true },
    cache: yaml.cache ?? true,
    notices: noticesOf(raw, env, yaml, file),
  };
  return deepFreeze(withHidden(tree, 'env', raw));
}

/** `file` is the name of the yaml file, if there is one. */
async function parseSources(raw: RawEnv, cwd: string): Promise<{ env: Env; yaml: Yaml; file?: string }> {
  const problems = gatherProblems();
  const env = problems.attempt(() => parseEnv(raw));
  const written = await parseFile(raw, cwd).catch(problems.note);
  if (!env || !written) throw problems.error();
  return { env, ...written };
}

async function parseFile(raw: RawEnv, cwd: string): Promise<{ yaml: Yaml; file?: string }> {
  const file = await readYamlFile(text(raw.CONFIG_PATH), cwd);
  return file ? { yaml: await parseYaml(file, raw), file: file.name } : { yaml: {} };
}

function withHidden<Tree extends object, Name extends string, Value>(tree: Tree, name: Name, value: Value) {
  return Object.defineProperty(tree, name, { value, enumerable: false }) as Tree & Record<Name, Value>;
}
