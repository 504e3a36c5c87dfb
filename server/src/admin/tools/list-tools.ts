// What the page of tools shows: what there is, whether it is on, and where its key is from. No key.
import type { SavedToolFacts, ToolRow } from '@parley/schema/tools/tool-settings';
import { hasWebSearch } from '../../config/parts/plugins.ts';
import { mcpService } from '../../mcp/servers.ts';
import { isoTime } from '../../platform/iso-time.ts';
import { isOff, isOperatorsChoice } from '../../tools/tool-filter.ts';
import { openedTool, storedTools, type StoredTool } from '../../tools/saved/saved-tools.ts';
import { chooseSearchProvider } from '../../tools/web/search-providers.ts';
import { readChangers } from '../saved/change.ts';
import { operatorsValue, presentServiceField, toolServices, type ToolService } from './services.ts';
import type { Config } from '../../config/config.ts';
import type { ToolServices } from './write-tool.ts';

/** By their keys. */
const BUILTIN = {
  assistants: 'Assistants',
  actions: 'Actions',
  skills: 'Skills',
  web_search: 'Web search',
  web_page: 'Web page',
  code_interpreter: 'Code interpreter',
  file_search: 'File search',
  calculator: 'Calculator',
  artifact: 'Artifacts',
} as const;

type Find = (name: string) => SavedToolFacts | null;

/** Built-in tools, then services, then tool servers. */
export async function listTools(deps: ToolServices): Promise<ToolRow[]> {
  const stored = await storedTools(deps.db.query);
  const changers = await readChangers(deps.db, stored);
  const facts = new Map(stored.map((row) => [row.name, factsOf(deps, row, changers)]));
  const find: Find = (name) => facts.get(name) ?? null;
  return [
    ...Object.entries(BUILTIN).map(([name, label]) => builtinRow(deps, name, label, find)),
    ...toolServices(deps.config).map((service) => serviceRow(deps, service, find)),
    ...serverRows(deps, stored, find),
  ];
}

function builtinRow({ config }: { config: Config }, name: string, label: string, find: Find): ToolRow {
  const isSearch = name === 'web_search';
  const state = operatorAllows(config, name) ? stateOf(config, name, 'on') : 'operator_off';
  return {
    name,
    kind: 'builtin',
    label,
    description: '',
    state: isSearch && state === 'on' && !hasWebSearch(config.plugins) ? 'needs_service' : state,
    source: null,
    fields: [],
    canTry: false,
    at: isSearch ? (chooseSearchProvider(config.plugins)?.name ?? null) : null,
    saved: find(name),
  };
}

function operatorAllows(config: Config, name: string): boolean {
  const { tools, interpreter, endpoints, actions, startup } = config;
  if (name === 'assistants') return endpoints.assistants.enabled;
  if (name === 'actions') return tools.enabled && actions.enabled;
  if (name === 'skills') return tools.enabled;
  if (name === 'code_interpreter' && !interpreter.isOn) return false;
  if (name === 'artifact' && startup.artifacts === 'off') return false;
  return tools.enabled && isOperatorsChoice(tools.filter, name);
}

function stateOf({ tools }: Config, name: string, otherwise: ToolRow['state']): ToolRow['state'] {
  return isOff(tools.filter, name) ? 'off' : otherwise;
}

function serviceRow({ config, toolSettings: { operators } }: ToolServices, service: ToolService, find: Find): ToolRow {
  const { name, label, description, fields, plugin } = service;
  const isGiven = fields.some(({ names }) => operatorsValue(operators, names));
  const isFilled = (from: Config) => fields.every(({ names }) => operatorsValue(from, names));
  const saved = find(name);
  const isOfOperator = plugin ? operatorAllows(config, name) : config.tools.enabled;
  // What is off is in no configuration that holds.
  const isReady = isGiven ? isFilled(operators) : saved?.hasValues === true && !saved.isUnreadable;
  const filled = fields.length === 0 || isReady ? 'on' : plugin ? 'users_keys' : 'needs_key';
  return {
    name,
    kind: 'service',
    label,
    description,
    state: isOfOperator ? stateOf(config, name, filled) : 'operator_off',
    source: isGiven ? 'environment' : saved?.hasValues ? 'saved' : null,
    fields: isGiven ? [] : fields.map(presentServiceField),
    canTry: plugin === null || plugin.trial !== undefined,
    at: null,
    saved,
  };
}

/** Those of the yaml file, then those that are added here, also where the yaml file has one of the name by now. */
function serverRows({ config, toolSettings }: ToolServices, stored: readonly StoredTool[], find: Find): ToolRow[] {
  const row = (name: string, source: 'yaml' | 'saved', at: string | null): ToolRow => ({
    name: mcpService(name),
    kind: 'server',
    label: name,
    description: '',
    state: config.tools.enabled
      ? stateOf(config, mcpService(name), find(mcpService(name))?.isUnreadable ? 'needs_key' : 'on')
      : 'operator_off',
    source,
    fields: [],
    canTry: true,
    at,
    saved: find(mcpService(name)),
  });
  const ofYaml = toolSettings.operators.mcp.servers.map(({ name, target }) =>
    row(name, 'yaml', target.type === 'http' ? target.url : null),
  );
  const taken = new Set(ofYaml.map(({ name }) => name.toLowerCase()));
  const added = stored.filter(({ name, config: { url } }) => typeof url === 'string' && !taken.has(name.toLowerCase()));
  return [
    ...ofYaml,
    ...added.map((one) => row(one.name.slice(mcpService('').length), 'saved', String(one.config['url']))),
  ];
}

function factsOf({ encryption }: ToolServices, row: StoredTool, changers: ReadonlyMap<string, string>): SavedToolFacts {
  const { version, encrypted, changedBy, changedAt } = row;
  const hasValues = encrypted !== null;
  return {
    version,
    hasValues,
    isUnreadable: hasValues && Object.keys(openedTool(row, encryption).values).length === 0,
    changedBy: changers.get(changedBy ?? '') ?? null,
    changedAt: isoTime(changedAt),
  };
}
