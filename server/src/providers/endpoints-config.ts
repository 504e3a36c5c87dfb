// The configuration of all endpoints: each provider's part, and the shared settings.
import type { EndpointType } from '@parley/schema/catalog/endpoints';
import type { PricesByProvider } from '@parley/schema/catalog/prices';
import { withoutTrailingSlash } from '../config/addresses.ts';
import { offeredEndpoints, endpointPosition } from '../config/endpoint-order.ts';
import type { Env, EnvRows } from '../config/env/env.ts';
import type { Yaml } from '../config/yaml/yaml-schema.ts';
import type { ConfigSources, ConfiguredProvider, ProviderDefinition } from './define-provider.ts';
import type { PROVIDERS } from './providers.ts';
import type { SavedProvider } from './saved/saved-provider.ts';
import { withSaved } from './saved/with-saved.ts';

/**
 * In milliseconds: how long a provider may be silent before its first delta and between two, how long it may send
 * keep-alives only, how long saving a reply is retried, and how long an answer may take; and an answer's most text in
 * bytes.
 */
export type Timeouts = {
  firstTokenMs: number;
  idleMs: number;
  quietMs: number;
  saveMs: number;
  replyMs: number;
  replyBytes: number;
};

export type EndpointsConfig = SettingsByType & {
  /** The words of ENDPOINTS in order: only these endpoints are offered. */
  offered: EndpointType[];
  timeouts: Timeouts;
  /** Plugins use Azure's key instead of OpenAI's. */
  pluginsUseAzure: boolean;
  /** Those of the yaml file. */
  prices: PricesByProvider;
  /** Where a local Ollama is looked for when nothing else is configured; null for nowhere. */
  ollamaURL: string | null;
};

type SettingsByType = {
  [Definition in (typeof PROVIDERS)[number] as Definition['type']]: SettingsOf<Definition>;
};
type SettingsOf<Definition> =
  Definition extends ProviderDefinition<infer _Type, infer _Rows, infer Settings> ? Settings : never;

/** The environment variables of these definitions together. */
export function joinEnvRows(definitions: readonly { env: EnvRows }[]): EnvRows {
  return Object.assign({}, ...definitions.map(({ env }) => env));
}

/** Reads each provider's configuration, in order. */
export async function configureProviders(
  providers: readonly ProviderDefinition[],
  { env, yaml, cwd, dataDir }: Pick<ConfigSources, 'yaml' | 'cwd' | 'dataDir'> & { env: Env },
): Promise<ConfiguredProvider[]> {
  const offered = offeredEndpoints(env);
  const from = { env, yaml, cwd, dataDir, titlesEnabled: env.TITLE_CONVO ?? true };
  const configured: ConfiguredProvider[] = [];
  for (const provider of providers) {
    const order = endpointPosition(provider.type, offered);
    const isPlaced = env.ENDPOINTS?.includes(provider.type) ?? false;
    configured.push(order === null ? provider.excluded() : await provider.configure({ ...from, order, isPlaced }));
  }
  return configured;
}

export type ConfigureSaved = (saved: readonly SavedProvider[]) => Promise<ConfiguredProvider[]>;

/** Reads the configuration together with the providers of administrators, of which `configured` knows nothing. */
export function savedConfigurer(
  providers: readonly ProviderDefinition[],
  configured: readonly ConfiguredProvider[],
  sources: Parameters<typeof configureProviders>[1],
): ConfigureSaved {
  return (saved) => withSaved(providers, configured, sources, saved);
}

export function endpointsConfig(
  env: Env,
  { prices = {} }: Pick<Yaml, 'prices'>,
  configured: readonly ConfiguredProvider[],
): EndpointsConfig {
  // The list at run time may be longer than its type: a test may add to it.
  const settings = Object.fromEntries(configured.map((one) => [one.type, one.settings])) as SettingsByType;
  const { gptPlugins: plugins }: Partial<SettingsByType> = settings;
  const { STREAM_FIRST_TIMEOUT: firstTokenMs = 120_000, STREAM_IDLE_TIMEOUT: idleMs = 60_000 } = env;
  return {
    offered: offeredEndpoints(env),
    timeouts: {
      firstTokenMs,
      idleMs,
      // A silent provider may not be cut sooner for want of keep-alives.
      quietMs: Math.max(env.STREAM_QUIET_TIMEOUT ?? 10 * 60_000, firstTokenMs, idleMs),
      // Longer than a database takes to restart or fail over.
      saveMs: 10 * 60_000,
      replyMs: env.ANSWER_TIMEOUT ?? 30 * 60_000,
      replyBytes: env.ANSWER_MAX_BYTES ?? 4 * 1024 * 1024,
    },
    ...settings,
    pluginsUseAzure: plugins?.enabled ? plugins.asks.azure : (env.PLUGINS_USE_AZURE ?? false),
    prices,
    ollamaURL: env.OLLAMA_URL === 'off' ? null : withoutTrailingSlash(env.OLLAMA_URL ?? OLLAMA_URL),
  };
}

/** Ollama's default port. */
const OLLAMA_URL = 'http://127.0.0.1:11434';
