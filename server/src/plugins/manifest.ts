// All plugins in the order of the store.
import type { EnvRows } from '../config/env/env.ts';
import { fieldRows, type ManifestPlugin } from './define-plugin.ts';
import { OPEN_API_PLUGINS } from './open-api-plugins.ts';
import { azureAiSearch } from './tools/azure-ai-search.ts';
import { codeBrew } from './tools/codebrew.ts';
import { codesherpa } from './tools/codesherpa.ts';
import { dallE2 } from './tools/dall-e-2.ts';
import { dallE3 } from './tools/dall-e-3.ts';
import { e2bCodeInterpreter } from './tools/e2b-code-interpreter.ts';
import { google } from './tools/google.ts';
import { serpapi } from './tools/serpapi.ts';
import { stableDiffusion } from './tools/stable-diffusion.ts';
import { tavily } from './tools/tavily.ts';
import { traversaal } from './tools/traversaal.ts';
import { webBrowser } from './tools/web-browser.ts';
import { wolfram } from './tools/wolfram.ts';
import { zapier } from './tools/zapier.ts';

/** A built-in tool of the same key does its work. */
const calculator: ManifestPlugin = {
  key: 'calculator',
  name: 'Calculator',
  description: 'Computes expressions exactly: arithmetic, functions, units, matrices.',
  fields: [],
  isForAssistants: true,
  isBuiltin: true,
};

export const PLUGINS: readonly ManifestPlugin[] = [
  ...OPEN_API_PLUGINS,
  traversaal,
  google,
  wolfram,
  e2bCodeInterpreter,
  codesherpa,
  webBrowser,
  serpapi,
  dallE2,
  dallE3,
  tavily,
  calculator,
  stableDiffusion,
  zapier,
  azureAiSearch,
  codeBrew,
];

/** The variables of their fields: each may be `user_provided`, or be absent; then users save their own. */
export const PLUGIN_FIELDS: EnvRows = Object.assign({}, ...PLUGINS.map(fieldRows));

export const PLUGIN_VARIABLES: EnvRows = Object.assign({}, PLUGIN_FIELDS, ...PLUGINS.map(({ env }) => env));

/** The plugin with this key; undefined when there is none. */
export function findPlugin(key: string): ManifestPlugin | undefined {
  return PLUGINS.find((plugin) => plugin.key === key);
}

/** The names by key, as existing clients show calls of their tools. */
export function pluginNames(): Record<string, string> {
  return Object.fromEntries(PLUGINS.map(({ key, name }) => [key, name]));
}
