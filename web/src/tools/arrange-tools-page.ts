// Tests of this room: tests/unit/web/tools, tests/e2e/tools.

// What the page of tools lists, and where. A service that has ended is only in the plugin store, unless somebody has it.
import type { McpServer } from '@parley/schema/tools/mcp-servers';
import type { Plugin } from '@parley/schema/tools/plugins';
import type { ToolInfo } from '@parley/schema/tools/tools';
import type { TFunction } from 'i18next';
import { isPartFound } from '../chat/tools/arrange-tools.ts';
import { toolInWords } from '../chat/tools/tool-labels.ts';
import { describeHindrance } from '../plugins/describe-hindrance.ts';
import { describePlugin } from '../plugins/plugin-descriptions.ts';
import { askedFields, needsForm } from '../plugins/plugin-values.ts';
import { hasWords } from '../ui/fields/has-words.ts';

/** A tool or a service as a row of the page, in the reader's language. */
export interface ToolLine {
  key: string;
  name: string;
  about: string;
  state: 'ready' | 'own_key' | 'for_all' | 'not_set_up' | 'ended' | 'closed';
  /** Why it cannot be used; null when it can, and where its state says enough. */
  why: string | null;
  /** Of a service: what is set up, changed and removed. */
  plugin: Plugin | null;
}

export interface ToolsPage {
  builtin: ToolLine[];
  /** Those that are set up stand first. */
  services: ToolLine[];
  /** What only an administrator can change. */
  closed: ToolLine[];
}

/** The rows that have all words of the query in their name, description or reason. */
export function arrangeToolsPage(
  tools: readonly ToolInfo[],
  plugins: readonly Plugin[],
  { query, isOperator, t }: { query: string; isOperator: boolean; t: TFunction },
): ToolsPage {
  const own = tools.filter(({ from: { source } }) => source === 'builtin' || source === 'action');
  const lines = own.map((tool) => ({ source: tool.from.source, line: toolLine(tool, isOperator, t) }));
  // A built-in tool of the same key does the work of such a plugin.
  const services = plugins.filter(({ key }) => !own.some((tool) => tool.key === key)).filter(isListed);
  const usable = lines.filter(({ line }) => line.state === 'ready');
  const found = (rows: readonly ToolLine[]) =>
    rows.filter(({ name, about, why }) => hasWords([name, about, why].join('\n'), query.trim()));
  return {
    builtin: found(usable.filter(({ source }) => source === 'builtin').map(({ line }) => line)),
    services: found([
      ...usable.filter(({ source }) => source === 'action').map(({ line }) => line),
      ...services.map((plugin) => pluginLine(plugin, t)).toSorted((one, other) => rankOf(one) - rankOf(other)),
    ]),
    closed: found(lines.filter(({ line }) => line.state === 'closed').map(({ line }) => line)),
  };
}

/** The servers that have all words of the query in their name or address, or of which a tool has them. */
export function findServers(servers: readonly McpServer[], query: string): McpServer[] {
  const wanted = query.trim();
  return servers.filter(
    (server) => isServerNamed(server, wanted) || server.tools.some((tool) => isPartFound(tool, server.name, wanted)),
  );
}

export function isServerNamed({ name, url }: McpServer, wanted: string): boolean {
  return hasWords(`${name}\n${url ?? ''}`, wanted);
}

/** What has ended and what is only the document of a service are looked for in the store. */
function isListed({ isInstalled, isOpenApi, unavailable }: Plugin): boolean {
  return isInstalled || (unavailable === null && !isOpenApi);
}

function toolLine(tool: ToolInfo, isOperator: boolean, t: TFunction): ToolLine {
  const { key, from, description, unavailable, why } = toolInWords(tool, t);
  const line = { key, name: from.label || key, about: description, plugin: null };
  if (unavailable === null) return { ...line, state: 'ready', why: null };
  return { ...line, state: 'closed', why: why ? describeHindrance(why, t, isOperator) : unavailable };
}

function pluginLine(plugin: Plugin, t: TFunction): ToolLine {
  const { key, name, unavailable, why } = plugin;
  const line = { key, name, about: describePlugin(plugin, t), plugin };
  if (unavailable === null) return { ...line, state: stateOf(plugin), why: null };
  return { ...line, state: 'ended', why: why ? describeHindrance(why, t) : unavailable };
}

function stateOf(plugin: Plugin): ToolLine['state'] {
  if (needsForm(plugin)) return 'not_set_up';
  if (askedFields(plugin).some(({ isSaved }) => isSaved)) return 'own_key';
  return plugin.isAuthenticated ? 'for_all' : 'ready';
}

function rankOf({ state }: ToolLine): number {
  return ['own_key', 'for_all', 'ready', 'ended', 'not_set_up'].indexOf(state);
}
