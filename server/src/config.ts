// Configuration: parses the environment, .env and the yaml file once at the start into one typed, frozen tree. First
// each source by itself (config/read-sources.ts), then the tree, part by part, with its defaults.
// Invalid settings stop the start with a ConfigError.

import { accountsConfig, type AccountsConfig } from './config/parts/accounts.ts';
import { mcpConfig, type McpConfig } from './config/parts/mcp.ts';
import {
  configureProviders,
  endpointsConfig,
  joinEnvRows,
  savedConfigurer,
  type ConfigureSaved,
  type EndpointsConfig,
} from './providers/endpoints-config.ts';
import type { ConfiguredProvider, ProviderDefinition } from './providers/define-provider.ts';
import { PROVIDERS } from './providers/providers.ts';
import { filesConfig, type FilesConfig } from './config/parts/files.ts';
import { configureSites, SITES } from './auth/oauth/sites/sites.ts';
import { PLUGIN_FIELDS, PLUGIN_VARIABLES } from './plugins/manifest.ts';
import { STORES, storesConfig } from './files/stores/stores.ts';
import { deepFreeze, type DeepReadonly } from './config/freeze.ts';
import {
  bansConfig,
  limitsConfig,
  moderationConfig,
  type BansConfig,
  type LimitsConfig,
  type ModerationConfig,
} from './config/parts/limits.ts';
import { modelSpecsConfig, type ModelSpecsConfig } from './config/parts/model-specs.ts';
import { mailConfig, type MailConfig } from './config/parts/mail.ts';
import { pluginsConfig, type PluginsConfig } from './config/parts/plugins.ts';
import {
  retrievalConfig,
  servedEmbeddings,
  type EmbeddingModel,
  type RetrievalConfig,
} from './config/parts/retrieval.ts';
import { configWarnings } from './config/warnings.ts';
import {
  databaseConfig,
  logConfig,
  serverConfig,
  type DatabaseConfig,
  type LogConfig,
  type ServerConfig,
} from './config/parts/server.ts';
import { startupFacts, type BirthdayIcon, type StartupFacts } from './config/parts/startup.ts';
import {
  actionsConfig,
  interpreterConfig,
  toolsConfig,
  type ActionsConfig,
  type InterpreterConfig,
  type ToolsConfig,
} from './config/parts/tools.ts';
import { readSources, type SourcesFrom } from './config/read-sources.ts';

export type Config = DeepReadonly<{
  server: ServerConfig;
  log: LogConfig;
  database: DatabaseConfig;
  startup: StartupFacts;
  /** For `showsBirthdayIcon`, evaluated at each request. */
  birthdayIcon: BirthdayIcon;
  accounts: AccountsConfig & { sites: ReturnType<typeof configureSites> };
  endpoints: EndpointsConfig;
  modelSpecs: ModelSpecsConfig;
  limits: LimitsConfig;
  bans: BansConfig;
  moderation: ModerationConfig;
  mail: MailConfig;
  files: FilesConfig & { stores: ReturnType<typeof storesConfig> };
  retrieval: RetrievalConfig;
  /** The models that programs may ask for embeddings; the first is that of `retrieval`, if it has one. */
  embeddings: EmbeddingModel[];
  actions: ActionsConfig;
  mcp: McpConfig;
  interpreter: InterpreterConfig;
  plugins: PluginsConfig;
  tools: ToolsConfig;
  search: { enabled: boolean };
  /** Warnings for the log, none of which stops the start. */
  warnings: string[];
  /**
   * All variables, including `.env`. Contains every secret, so it is non-enumerable and hidden from printing and
   * copying.
   */
  env: Record<string, string>;
  /** The provider definitions with their settings from `endpoints`. Hidden like `env`. */
  providers: ConfiguredProvider[];
  /**
   * What is offered with these providers of administrators, in the order of the menu, under what the environment and
   * the yaml file say. Rejects with a ConfigError where one does not fit together with these. Hidden like `env`.
   */
  offer: (...saved: Parameters<ConfigureSaved>) => Promise<Offer>;
}>;

export interface Offer {
  providers: ConfiguredProvider[];
  modelSpecs: ModelSpecsConfig;
}

export interface LoadFrom extends SourcesFrom {
  /** All providers when absent. */
  providers?: readonly ProviderDefinition[];
}

/**
 * Loads the configuration of a server started in `cwd` with the variables `env`.
 * @throws ConfigError with one sentence per invalid setting
 */
export async function loadConfig(from: LoadFrom): Promise<Config> {
  const providers: readonly ProviderDefinition[] = from.providers ?? PROVIDERS;
  const { raw, env, yaml, file, notices, variables } = await readSources(
    from,
    joinEnvRows([...providers, ...STORES, ...SITES, { env: PLUGIN_VARIABLES }]),
  );
  const server = serverConfig(env, from.cwd);
  const sites = env.ALLOW_SOCIAL_LOGIN ? configureSites(env, server.domainServer) : [];
  const mail = await mailConfig(env);
  const sources = { env, yaml, cwd: from.cwd, dataDir: server.dataDir };
  const configured = await configureProviders(providers, sources);
  const offered = offeredBy(configured);
  const configureSaved = savedConfigurer(providers, configured, sources);
  const offer: Config['offer'] = async (saved) => {
    const all = await configureSaved(saved);
    return { providers: all, modelSpecs: modelSpecsConfig(yaml, offeredBy(all), file).modelSpecs };
  };
  const specs = modelSpecsConfig(yaml, offered, file);
  const tree = {
    server,
    log: logConfig(env),
    database: databaseConfig(env),
    startup: startupFacts(env, yaml, server, sites, mail),
    birthdayIcon: env.SHOW_BIRTHDAY_ICON,
    accounts: { ...accountsConfig(env, yaml), sites },
    endpoints: endpointsConfig(env, yaml, configured),
    modelSpecs: specs.modelSpecs,
    limits: limitsConfig(env, yaml),
    bans: bansConfig(env),
    moderation: moderationConfig(env),
    mail,
    files: { ...filesConfig(env, yaml), stores: storesConfig(env, yaml) },
    retrieval: retrievalConfig(env, offered),
    embeddings: servedEmbeddings(env, offered),
    actions: actionsConfig(env, yaml),
    mcp: mcpConfig(env, yaml),
    interpreter: interpreterConfig(env, yaml),
    plugins: pluginsConfig(env, raw, Object.keys(PLUGIN_FIELDS)),
    tools: toolsConfig(env, yaml),
    search: { enabled: env.SEARCH ?? true },
    warnings: [
      ...configWarnings(raw, env, yaml, {
        file,
        variables,
        ofProviders: providers.flatMap((one) => one.warnings(env, yaml)),
        types: Object.fromEntries(configured.filter(answersByItself).map(({ type }) => [type, true])),
      }),
      ...notices,
      ...specs.notices,
    ],
  };
  const withSecrets = withHidden(withHidden(tree, 'env', raw), 'providers', configured);
  return deepFreeze(withHidden(withSecrets, 'offer', offer));
}

/** Endpoints of assistants without a key of their own have others answer. */
function answersByItself({ endpoints }: ConfiguredProvider): boolean {
  return endpoints.some(({ isAnsweredByOthers }) => !isAnsweredByOthers);
}

function offeredBy(providers: readonly ConfiguredProvider[]) {
  return providers.flatMap(({ type, endpoints }) => endpoints.map(({ name }) => ({ type, name })));
}

function withHidden<Tree extends object, Name extends string, Value>(tree: Tree, name: Name, value: Value) {
  return Object.defineProperty(tree, name, { value, enumerable: false }) as Tree & Record<Name, Value>;
}
