import * as z from 'zod';
import { cleanText } from '../clean-text.ts';
import { TOOL_KEY_MAX, type ToolHindrance } from './tools.ts';

/** What a plugin needs to sign in. */
export interface PluginField {
  /** The name of the value, such as SERPAPI_API_KEY; alternatives as `A||B`: a form asks for the first. */
  field: string;
  label: string;
  /** What it is and where it comes from, in plain text. */
  description: string;
  /** It is the address of a service rather than a secret. */
  isAddress: boolean;
  /** The plugin works without it. */
  isOptional: boolean;
  /** The person has saved a value; the value itself never leaves the server. */
  isSaved: boolean;
}

/** A plugin as a person sees it. */
export interface Plugin {
  /** As a conversation remembers it, and as `ToolInfo.key`. */
  key: string;
  name: string;
  description: string;
  /** The address of its image, which needs no network. */
  icon: string;
  fields: PluginField[];
  /** The operator's values fill all fields; false without fields. */
  isAuthenticated: boolean;
  /** In the person's list of plugins. */
  isInstalled: boolean;
  /** Assistants may use it, too. */
  isForAssistants: boolean;
  /** It is only the OpenAPI document of a service. */
  isOpenApi: boolean;
  /** Why it cannot be used by anybody, in English; null when it can. */
  unavailable: string | null;
  /** The same for other languages. */
  why?: ToolHindrance;
}

const VALUE_MAX = 4096;
/** More fields than any plugin has. */
const FIELDS_MAX = 16;

const PluginKey = z.string({ error: 'pluginKey is required' }).min(1, 'pluginKey is required').max(TOOL_KEY_MAX);
const Field = z.string().max(TOOL_KEY_MAX);
const Value = z
  .string()
  .overwrite(cleanText)
  .trim()
  .min(1, 'A value is required')
  .max(VALUE_MAX)
  // It is sent in a header or an address.
  .refine((text) => !/[\r\n]/.test(text), 'A value must be one line');

/** Adds a plugin to the person's list and saves values of its fields. */
export const InstallPlugin = z.strictObject({
  key: PluginKey,
  values: z
    .record(Field, Value)
    .refine((values) => Object.keys(values).length <= FIELDS_MAX, 'There are too many values')
    .default({}),
  /** For an assistant: the person's list stays as it is. */
  isForAssistant: z.boolean().default(false),
});
export type InstallPlugin = z.infer<typeof InstallPlugin>;

/** Removes a plugin from the person's list, and the saved values of these fields. */
export const UninstallPlugin = z.strictObject({
  key: PluginKey,
  fields: z.array(Field).max(FIELDS_MAX).default([]),
  isForAssistant: z.boolean().default(false),
});
export type UninstallPlugin = z.infer<typeof UninstallPlugin>;
