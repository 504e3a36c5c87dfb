// Lays what administrators set of tools under what the environment and the yaml file set.
import type { Config } from '../../config/config.ts';
import { MCP_TIMEOUT_MS, type McpServerConfig } from '../../config/parts/mcp.ts';
import { withoutTrailingSlash } from '../../config/addresses.ts';
import type { SavedTool } from './saved-tools.ts';

/** The parts of the configuration that tools are made of. */
export type ToolParts = Pick<Config, 'plugins' | 'mcp' | 'tools'>;

/** The names of the variables of each field of a tool, the one that is asked for first; none for most. */
export type FieldsOf = (tool: string) => readonly (readonly [string, ...string[]])[];

/** Chosen by `mcp:` and their name. */
const SERVER_PREFIX = 'mcp:';

/** Where the environment gives any value of a tool, it gives all of them: a key never goes to another's address. */
export function withSavedTools(parts: ToolParts, saved: readonly SavedTool[], fieldsOf: FieldsOf): ToolParts {
  const { plugins, mcp, tools } = parts;
  const off = saved.filter(({ isOn }) => !isOn).map(({ name }) => name);
  const given: Readonly<Record<string, string | undefined>> = {
    ...plugins.fields,
    BRAVE_API_KEY: plugins.braveKey,
    SEARXNG_URL: plugins.searxngURL,
  };
  const used = saved.filter(
    ({ name, url }) =>
      url === null &&
      !fieldsOf(name)
        .flat()
        .some((field) => given[field]),
  );
  const values = Object.fromEntries(used.flatMap(({ values: own }) => Object.entries(own)));
  const unused = new Set(off.flatMap((name) => fieldsOf(name).map(([first]) => first)));
  const left = Object.entries({ ...given, ...values }).filter(([field, value]) => value && !unused.has(field));
  const { BRAVE_API_KEY: braveKey, SEARXNG_URL: searxngURL, ...fields } = Object.fromEntries(left);
  return {
    plugins: {
      ...plugins,
      fields,
      braveKey,
      searxngURL: searxngURL && withoutTrailingSlash(searxngURL),
      saved: Object.keys(values),
    },
    mcp: { ...mcp, servers: [...mcp.servers, ...newServers(mcp, saved)] },
    tools: { ...tools, filter: { ...tools.filter, offTools: off } },
  };
}

/** Names of the yaml file stay its own. */
function newServers({ servers }: ToolParts['mcp'], saved: readonly SavedTool[]): McpServerConfig[] {
  const taken = new Set(servers.map(({ name }) => name.toLowerCase()));
  return saved.flatMap(({ name: key, url, values }) => {
    const name = key.slice(SERVER_PREFIX.length);
    return url === null || taken.has(name.toLowerCase()) ? [] : [serverConfig(name, url, values)];
  });
}

export function serverConfig(name: string, url: string, headers: Readonly<Record<string, string>>): McpServerConfig {
  const auth = Object.keys(headers).length > 0 ? 'header' : 'none';
  const target = { type: 'http' as const, url, headers: { ...headers } };
  return { name, target, auth, timeoutMs: MCP_TIMEOUT_MS, isTrusted: false, filter: {}, isSaved: true };
}
