// Configuration: parses the environment, .env and the yaml file once at the start into one typed, frozen tree. First
// each source by itself (config/read-sources.ts), then the tree, part by part, with its defaults.
// Invalid settings stop the start with a ConfigError.

import type { Config } from './config/config.ts';
import { accountsConfig } from './config/parts/accounts.ts';
import { configureProviders, endpointsConfig, joinEnvRows, savedConfigurer } from './providers/endpoints-config.ts';
import { PROVIDERS } from './providers/providers.ts';
import { filesConfig } from './config/parts/files.ts';
import { configureSites, SITES } from './auth/oauth/sites/sites.ts';
import { PLUGIN_FIELDS, pluginNames, PLUGIN_VARIABLES } from './plugins/manifest.ts';
import { STORES, storesConfig } from './files/stores/stores.ts';
import { deepFreeze } from './config/freeze.ts';
import { bansConfig, limitsConfig, moderationConfig } from './config/parts/limits.ts';
import { modelSpecsConfig } from './config/parts/model-specs.ts';
import { mailConfig, pushConfig } from './config/parts/mail.ts';
import { pluginsConfig } from './config/parts/plugins.ts';
import { retrievalConfig, servedEmbeddings } from './config/parts/retrieval.ts';
import { configWarnings } from './config/warnings.ts';
import { databaseConfig, logConfig, serverConfig } from './config/parts/server.ts';
import { startupFacts } from './config/parts/startup.ts';
import { speechConfig } from './config/parts/speech.ts';
import { toolParts } from './config/parts/mcp.ts';
import { readSources, type SourcesFrom } from './config/read-sources.ts';

type Providers = Parameters<typeof configureProviders>[0];
type Configured = Awaited<ReturnType<typeof configureProviders>>;

export interface LoadFrom extends SourcesFrom {
  /** All providers when absent. */
  providers?: Providers;
}

/**
 * Loads the configuration of a server started in `cwd` with the variables `env`.
 * @throws ConfigError with one sentence per invalid setting
 */
export async function loadConfig(from: LoadFrom): Promise<Config> {
  const providers: Providers = from.providers ?? PROVIDERS;
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
  const speaking = speechConfig({ env, yaml, raw, file, offered });
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
    push: pushConfig(env, server, mail),
    files: { ...filesConfig(env, yaml), stores: storesConfig(env, yaml) },
    retrieval: retrievalConfig(env, offered),
    embeddings: servedEmbeddings(env, offered),
    ...toolParts(env, yaml),
    speech: speaking.speech,
    plugins: { ...pluginsConfig(env, raw, Object.keys(PLUGIN_FIELDS)), names: pluginNames() },
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
      ...speaking.notices,
    ],
  };
  const withSecrets = withHidden(withHidden(tree, 'env', raw), 'providers', configured);
  return deepFreeze(withHidden(withSecrets, 'offer', offer));
}

/** Endpoints of assistants without a key of their own have others answer. */
function answersByItself({ endpoints }: Configured[number]): boolean {
  return endpoints.some(({ isAnsweredByOthers }) => !isAnsweredByOthers);
}

function offeredBy(providers: Configured) {
  return providers.flatMap(({ type, endpoints }) => endpoints.map(({ name }) => ({ type, name })));
}

function withHidden<Tree extends object, Name extends string, Value>(tree: Tree, name: Name, value: Value) {
  return Object.defineProperty(tree, name, { value, enumerable: false }) as Tree & Record<Name, Value>;
}
