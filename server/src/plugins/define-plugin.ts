// One plugin is one file with one call of `definePlugin`: what the store shows, its fields, its own variables, its tools.
import type { ImagePart } from '@parley/schema/messages/messages';
import type { ToolHindrance } from '@parley/schema/tools/tools';
import { credential, providerUrl } from '../config/env/env-readers.ts';
import type { ReadEnv, EnvRows, RawEnv } from '../config/env/env.ts';
import type { DeepReadonly } from '../config/freeze.ts';
import type { PluginsConfig } from '../config/parts/plugins.ts';
import type { Egress } from '../platform/egress.ts';
import type { PdfReader } from '../files/pdf-reader.ts';
import type { Service } from '../tools/call-service.ts';
import type { Chosen, Tool, ToolOutcome, ToolRun } from '../tools/tool.ts';

export interface ManifestField {
  /** Alternatives, the first of which is asked for. */
  names: readonly [string, ...string[]];
  label: string;
  description: string;
  /** It is the address of a server: one that a user gives is called through the egress guard. */
  isAddress?: true;
  /** Existing clients ask for it, and the plugin works without. */
  isOptional?: true;
}

/** Why nobody can use a plugin: in English, and for other languages. */
export interface End {
  text: string;
  why: ToolHindrance;
}

export interface ManifestPlugin {
  key: string;
  name: string;
  /** For people. */
  description: string;
  fields: readonly ManifestField[];
  /** The variable that moves its service elsewhere. */
  service?: string;
  isForAssistants: boolean;
  /** Its variables beside those of its fields. */
  env?: EnvRows;
  /** Absent for a built-in tool and for a document. `env` are all variables as they are written. */
  tools?(context: PluginContext, env: RawEnv): PluginTool[];
  /** Arguments with which its first tool is called to try what is filled in; absent where a call costs or changes something. */
  trial?: Readonly<Record<string, unknown>>;
  /** A built-in tool has this key and does the work. */
  isBuiltin?: true;
  /** Only the OpenAPI document of a service, at this address. */
  document?: string;
  /** Why nobody can use it any more; the operator's own address in `service` brings it back. */
  ended?: End;
}

/** A tool of a plugin; the rest of a `Tool` follows from the plugin. */
export interface PluginTool extends Pick<Tool, 'name' | 'description' | 'parameters' | 'isRepeatable' | 'asksAbout'> {
  /** 45 s when absent: more than a service may take. */
  timeoutMs?: number;
  /**
   * Text is what the model gets.
   * @throws ServiceFailure
   */
  run(call: ToolRun): Promise<ToolOutcome | string>;
}

/** What a plugin works with, for one person and one reply. */
export interface PluginContext {
  config: DeepReadonly<PluginsConfig>;
  /** Its service, called through the egress guard where its address is the person's own. */
  service: Service;
  /** The value of a field of its manifest, by the field's first name; there is always one, unless it is optional. */
  valueOf(field: string): string;
  egress: Egress;
  readPdf: PdfReader;
  chosen: Chosen;
  /** Keeps an image among the person's files. @throws ServiceFailure when it is no image, or there is no room */
  keepImage(userId: string, bytes: Uint8Array, image: { name: string; prompt: string }): Promise<ImagePart>;
}

interface PluginSpec<Rows extends EnvRows> extends Omit<ManifestPlugin, 'env' | 'tools' | 'service'> {
  env?: Rows;
  service?: keyof Rows & string;
  /** `env` are its own variables. */
  tools(context: PluginContext & { env: ReadEnv<Rows> }): PluginTool[];
}

export function definePlugin<Rows extends EnvRows = Record<never, never>>(spec: PluginSpec<Rows>): ManifestPlugin {
  return {
    ...spec,
    tools: (context, raw) => {
      const own = Object.entries(spec.env ?? {}).map(([name, read]) => [name, read(raw[name], name)]);
      return spec.tools({ ...context, env: Object.fromEntries(own) as ReadEnv<Rows> });
    },
  };
}

/** What people or the operator fill in; the operator does by variables of these names. */
export function field(names: string | ManifestField['names'], label: string, description: string): ManifestField {
  return { names: typeof names === 'string' ? [names] : names, label, description };
}

export function address(name: string, label: string, description: string): ManifestField {
  return { ...field(name, label, description), isAddress: true };
}

/** The variables of fields. An optional one is read for clients only: it belongs to another part of the configuration. */
export function fieldRows({ fields }: ManifestPlugin): EnvRows {
  const asked = fields.filter(({ isOptional }) => !isOptional);
  return Object.fromEntries(
    asked.flatMap(({ names, isAddress }) => names.map((name) => [name, isAddress ? providerUrl : credential])),
  );
}
