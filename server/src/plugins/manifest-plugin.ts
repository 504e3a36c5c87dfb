import type { ToolHindrance } from '@parley/schema/tools/tools';
import type { PluginField, ServiceVariable } from '../config/parts/plugins.ts';

export interface ManifestField {
  /** Alternatives, the first of which is asked for. */
  names: readonly [PluginField, ...PluginField[]];
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
  service?: ServiceVariable;
  isForAssistants: boolean;
  /** A built-in tool has this key and does the work. */
  isBuiltin?: true;
  /** Only the OpenAPI document of a service, at this address. */
  document?: string;
  /** Why nobody can use it any more; the operator's own address in `service` brings it back. */
  ended?: End;
}
