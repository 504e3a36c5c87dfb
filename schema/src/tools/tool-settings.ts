// What administrators set of tools: what is sent, and what the page is told of it.
import * as z from 'zod';
import { cleanText } from '../clean-text.ts';
import type { Reason } from '../reasons.ts';
import { TOOL_KEY_MAX } from '../catalog/params.ts';
import { McpHeader, McpUrl } from './mcp-inputs.ts';
import type { PluginField } from './plugins.ts';

const FIELDS_MAX = 16;
const VALUE_MAX = 4096;
const HEADERS_MAX = 10;

const Name = z.string().min(1).max(TOOL_KEY_MAX).overwrite(cleanText);
/** Of what was read; null where nothing is saved. */
const Version = z.int().positive().nullable();
const Value = z
  .string()
  .trim()
  .max(VALUE_MAX)
  .regex(/^[\x21-\x7e]+$/, 'A key or an address is one word, without spaces and line breaks.');

export const ToolValues = z.strictObject({
  name: Name,
  /** By the names of the fields. What is left out stays as it is saved. */
  values: z
    .record(z.string().max(TOOL_KEY_MAX), Value)
    .refine((values) => Object.keys(values).length <= FIELDS_MAX, 'There are too many values.'),
});
export const SaveToolValues = ToolValues.extend({ version: Version });
export const SwitchTool = z.strictObject({ name: Name, version: Version, isOn: z.boolean() });
export const SavedToolRef = z.strictObject({ name: Name, version: z.int().positive() });

/** A server of the Model Context Protocol. Its name becomes part of the names of its tools. */
export const ToolServer = z.strictObject({
  name: z
    .string()
    .trim()
    .regex(/^[\w-]{1,32}$/, 'The name must be up to 32 letters, digits, _ and -.'),
  url: McpUrl,
  /** Those that are saved when absent. */
  headers: z.array(McpHeader).max(HEADERS_MAX).optional(),
});
export const SaveToolServer = ToolServer.extend({ version: Version });
export type ToolServer = z.output<typeof ToolServer>;

export type ToolTried =
  /** `tools` are those of a tool server. */
  | { ok: true; tools: string[] }
  /** `words` are the service's own. */
  | { ok: false; reason: Reason; words: string | null };

export interface ToolRow {
  /** As conversations choose it; `assistants`, `brave` and `searxng` besides. */
  name: string;
  kind: 'builtin' | 'service' | 'server';
  /** In English. */
  label: string;
  description: string;
  state:
    | 'on'
    | 'off'
    /** The environment or the yaml file switches it off. */
    | 'operator_off'
    /** A service that only the server calls has no key. */
    | 'needs_key'
    /** People bring keys of their own. */
    | 'users_keys'
    /** No service is set up that it asks. */
    | 'needs_service';
  /** Where its key or address is from; null where it has none. */
  source: 'environment' | 'yaml' | 'saved' | null;
  /** What can be filled in here; nothing where the environment does it. */
  fields: Pick<PluginField, 'field' | 'label' | 'description' | 'isAddress'>[];
  canTry: boolean;
  /** Of a tool server; of the search of the web, the name of the service that it asks. */
  at: string | null;
  /** Null where nothing is saved. */
  saved: SavedToolFacts | null;
}

export interface SavedToolFacts {
  version: number;
  hasValues: boolean;
  /** They were encrypted with another CREDS_KEY. */
  isUnreadable: boolean;
  /** The name of the account; null when it is gone. */
  changedBy: string | null;
  changedAt: string;
}
