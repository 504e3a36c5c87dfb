// One provider is one folder with one call of `defineProvider`. Environment variables, configuration, the endpoint
// menu, readiness, REST paths, titles and context rules all derive from that definition; what the browser also needs
// (label, parameters, capabilities, charging) is the provider's row in `@parley/schema/catalog/endpoints`.
import type { EndpointType } from '@parley/schema/catalog/endpoints';
import type { Settings as ChatSettings } from '@parley/schema/catalog/params';
import type { ReadEnv, EnvRows } from '../config/env/env.ts';
import type { Yaml } from '../config/yaml/yaml-schema.ts';
import type { EndpointDefinition, EndpointDeps } from './endpoint.ts';
import type { PictureProvider } from './pictures.ts';
import type { Provider } from './provider.ts';
import type { PlacedProvider, SavedProvider } from './saved/saved-provider.ts';

export interface ProviderSpec<Type extends EndpointType, Rows extends EnvRows, Entry extends object> {
  /** Its key in the endpoint table, and its word in ENDPOINTS. */
  type: Type;
  /** Its own environment variables. */
  env: Rows;
  /** Says in English why it is off when `configure` returns null: "X_API_KEY is not set". */
  disabledReason: string;
  /**
   * Reads its configuration; null when it is not configured. Called only when ENDPOINTS includes it.
   * @throws ConfigError for settings that cannot work
   */
  configure(from: ConfigSources<Rows>): Entry | null | Promise<Entry | null>;
  /** Its variables for what an administrator has saved; absent where administrators cannot add it. */
  savedVariables?(saved: SavedProvider): Partial<ReadEnv<Rows>>;
  /** Log warnings about settings that work but are probably a mistake. */
  warnings?(env: ReadEnv<Rows>, yaml: Yaml): string[];
  /** Whose key is used: the server's, or one that each user saves. */
  keySource(entry: Entry): KeySource;
  endpoint(entry: Entry, deps: EndpointDeps): EndpointDefinition;
  /** Whether other endpoints answer for it: it is offered where there are such endpoints. */
  isAnsweredByOthers?(entry: Entry): boolean;
  /** Speaks the provider's protocol. */
  stream: Provider;
  /** The same for pictures; absent where it makes none. */
  pictures?: PictureProvider;
  titleModel?: TitleModel;
  context?: ContextRules;
  /** Null for a provider that is not asked at such a path; the default when absent. */
  restPath?: RestPath | null;
}

/** Why a provider is off that ENDPOINTS does not name. */
export const LEFT_OUT = 'ENDPOINTS leaves it out';

export type KeySource = 'server' | 'user';

export interface ConfigSources<Rows extends EnvRows = EnvRows> {
  env: ReadEnv<Rows>;
  yaml: Yaml;
  /** Its position in the endpoint menu, lowest first. */
  order: number;
  /** Whether ENDPOINTS names it, and so its position. */
  isPlaced: boolean;
  /** Whether TITLE_CONVO lets models write titles. */
  titlesEnabled: boolean;
  /** The folder the server was started in. */
  cwd: string;
  dataDir: string;
  /** The ones compatible with OpenAI that administrators added. */
  saved?: readonly PlacedProvider[];
}

/** The default title model, and how it is called (docs/rest-compat.md, Titles). */
export interface TitleModel {
  /** Null for the conversation's own model. */
  model: string | null;
  maxTokens: number;
  settings?: Readonly<Record<string, string | number | boolean>>;
}

const DEFAULT_TITLE_MODEL: TitleModel = { model: 'gpt-3.5-turbo', maxTokens: 16 };

/** How much of a conversation the provider is sent. */
export interface ContextRules {
  /** The protocol drops answers before the first question. */
  opensWithQuestion?: boolean;
  /** Texts sent with each question beside the custom instructions. */
  instructions?(call: { model: string; settings: ChatSettings }): string[];
}

/** How `/api/ask/<type>` and `/api/edit/<type>` read their bodies. */
export interface RestPath {
  /**
   * Existing clients use any name for this endpoint and its models: only the path counts (docs/rest-compat.md,
   * Streaming: ask, edit, abort).
   */
  isLenient: boolean;
}

/** The rules for all endpoints of a provider. */
export interface ProviderRules {
  stream: Provider;
  pictures: PictureProvider | null;
  titleModel: TitleModel;
  context: ContextRules;
  restPath: RestPath | null;
}

export interface ProviderDefinition<
  Type extends EndpointType = EndpointType,
  Rows extends EnvRows = EnvRows,
  Settings = unknown,
> {
  type: Type;
  rules: ProviderRules;
  env: Rows;
  warnings(env: ReadEnv<Rows>, yaml: Yaml): string[];
  configure(from: ConfigSources<Rows>): Promise<ConfiguredProvider<Settings>>;
  /** Null where administrators cannot add it by variables. */
  savedVariables: ((saved: SavedProvider) => Readonly<Record<string, unknown>>) | null;
  /** The provider's state when ENDPOINTS omits it. */
  excluded(): ConfiguredProvider<Settings>;
}

/** A provider with its configuration. */
export interface ConfiguredProvider<Settings = unknown> {
  type: EndpointType;
  rules: ProviderRules;
  /** For the configuration tree. */
  settings: Settings;
  endpoints: readonly ConfiguredEndpoint[];
  /** Why a built-in provider has no endpoint; null when it has one, and for custom endpoints. */
  disabledReason: string | null;
  /** Whether it is defined only in the yaml file, under the operator's names. */
  isCustom: boolean;
}

export interface ConfiguredEndpoint {
  name: string;
  keySource: KeySource;
  isAnsweredByOthers: boolean;
  /** Its configuration. */
  entry: object;
  /** Whether it is there because an administrator added it, or another one that it needs. */
  isSaved: boolean;
  define(deps: EndpointDeps): EndpointDefinition;
}

export type Switchable<Entry> = { enabled: false } | ({ enabled: true } & Entry);

/** A provider with one endpoint that is named after its type. */
export function defineProvider<const Type extends EndpointType, Rows extends EnvRows, Entry extends object>(
  spec: ProviderSpec<Type, Rows, Entry>,
): ProviderDefinition<Type, Rows, Switchable<Entry>> {
  const { type, env, disabledReason } = spec;
  const rules = rulesOf(spec);
  const off = (why: string): ConfiguredProvider<Switchable<Entry>> => ({
    type,
    rules,
    settings: { enabled: false },
    endpoints: [],
    disabledReason: why,
    isCustom: false,
  });
  return {
    type,
    rules,
    env,
    warnings: (values, yaml) => spec.warnings?.(values, yaml) ?? [],
    savedVariables: spec.savedVariables?.bind(spec) ?? null,
    excluded: () => off(LEFT_OUT),
    async configure(from) {
      const entry = await spec.configure(from);
      if (entry === null) return off(disabledReason);
      const endpoint = {
        name: type,
        keySource: spec.keySource(entry),
        isAnsweredByOthers: spec.isAnsweredByOthers?.(entry) ?? false,
        entry,
        isSaved: false,
        define: (deps: EndpointDeps) => spec.endpoint(entry, deps),
      };
      return {
        ...off(disabledReason),
        settings: { enabled: true, ...entry },
        endpoints: [endpoint],
        disabledReason: null,
      };
    },
  };
}

type CustomSpec<Type extends EndpointType, Entry extends { name: string }> = Omit<
  ProviderSpec<Type, Record<never, never>, Entry>,
  'env' | 'disabledReason' | 'configure' | 'warnings' | 'savedVariables'
> & { configure(from: ConfigSources): Entry[]; configureSaved(from: ConfigSources): Entry[] };

/**
 * A provider whose endpoints are listed and named in the yaml file. ENDPOINTS orders them and never leaves them out.
 */
export function defineCustomProvider<const Type extends EndpointType, Entry extends { name: string }>(
  spec: CustomSpec<Type, Entry>,
): ProviderDefinition<Type, Record<never, never>, Entry[]> {
  const { type } = spec;
  const rules = rulesOf(spec);
  const endpointOf = (entry: Entry, isSaved: boolean): ConfiguredEndpoint => ({
    name: entry.name,
    keySource: spec.keySource(entry),
    isAnsweredByOthers: false,
    entry,
    isSaved,
    define: (deps) => spec.endpoint(entry, deps),
  });
  const withEntries = (entries: Entry[], saved: Entry[] = []): ConfiguredProvider<Entry[]> => ({
    type,
    rules,
    settings: entries,
    endpoints: [...entries.map((entry) => endpointOf(entry, false)), ...saved.map((entry) => endpointOf(entry, true))],
    disabledReason: null,
    isCustom: true,
  });
  return {
    type,
    rules,
    env: {},
    warnings: () => [],
    savedVariables: null,
    excluded: () => withEntries([]),
    configure: async (from) => withEntries(spec.configure(from), spec.configureSaved(from)),
  };
}

function rulesOf({
  stream,
  pictures,
  titleModel = DEFAULT_TITLE_MODEL,
  context = {},
  restPath = { isLenient: false },
}: Partial<ProviderRules> & Pick<ProviderRules, 'stream'>): ProviderRules {
  return { stream, pictures: pictures ?? null, titleModel, context, restPath };
}
