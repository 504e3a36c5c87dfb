// The configuration tree; `load-config.ts` reads it at the start.
import type { AccountsConfig } from './parts/accounts.ts';
import type { McpConfig } from './parts/mcp.ts';
import type { ConfigureSaved, EndpointsConfig } from '../providers/endpoints-config.ts';
import type { ConfiguredProvider } from '../providers/define-provider.ts';
import type { FilesConfig } from './parts/files.ts';
import type { ConfiguredSite } from './parts/sign-in-sites.ts';
import type { ConfiguredStore } from '../storage/define-store.ts';
import type { DeepReadonly } from './freeze.ts';
import type { BansConfig, LimitsConfig, ModerationConfig } from './parts/limits.ts';
import type { ModelSpecsConfig } from './parts/model-specs.ts';
import type { MailConfig, PushConfig } from './parts/mail.ts';
import type { PluginsConfig } from './parts/plugins.ts';
import type { EmbeddingModel, RetrievalConfig } from './parts/retrieval.ts';
import type { DatabaseConfig, LogConfig, ServerConfig } from './parts/server.ts';
import type { SpeechConfig } from './parts/speech.ts';
import type { BirthdayIcon, StartupFacts } from './parts/startup.ts';
import type { ActionsConfig, InterpreterConfig, ToolsConfig } from './parts/tools.ts';

export type Config = DeepReadonly<{
  server: ServerConfig;
  log: LogConfig;
  database: DatabaseConfig;
  startup: StartupFacts;
  /** For `showsBirthdayIcon`, evaluated at each request. */
  birthdayIcon: BirthdayIcon;
  accounts: AccountsConfig & { sites: ConfiguredSite[] };
  endpoints: EndpointsConfig;
  modelSpecs: ModelSpecsConfig;
  limits: LimitsConfig;
  bans: BansConfig;
  moderation: ModerationConfig;
  mail: MailConfig;
  push: PushConfig;
  files: FilesConfig & { stores: ConfiguredStore[] };
  retrieval: RetrievalConfig;
  /** The models that programs may ask for embeddings; the first is that of `retrieval`, if it has one. */
  embeddings: EmbeddingModel[];
  actions: ActionsConfig;
  mcp: McpConfig;
  interpreter: InterpreterConfig;
  /** With the names of plugins by key, as existing clients show calls of their tools. */
  plugins: PluginsConfig & { names: Record<string, string> };
  tools: ToolsConfig;
  speech: SpeechConfig;
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
