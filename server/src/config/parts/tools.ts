// Settings of tools, of actions (APIs that users' assistants call) and of the code interpreter.
import type { Env } from '../env/env.ts';
import type { Yaml } from '../yaml/yaml-schema.ts';

/** Which tools the operator leaves: the included ones, or without such a list all but the filtered ones. */
export type ToolFilter = {
  includedTools?: string[] | undefined;
  filteredTools?: string[] | undefined;
  /** What administrators switched off. */
  offTools?: string[];
};

export type ToolsConfig = {
  /** False: no conversation uses tools. */
  enabled: boolean;
  /** Model calls of one answer. */
  maxSteps: number;
  /** How long an answer with tools may take until no more calls begin. */
  maxMinutes: number;
  /** Tool calls of one user. */
  callsPerMinute: number;
  /** By the keys of built-in tools and plugins. */
  filter: ToolFilter;
};

/** The tools that search and read the web. */
const WEB_TOOLS = ['web_search', 'web_page'];

export function toolsConfig(env: Env, { includedTools, filteredTools, interface: given }: Yaml): ToolsConfig {
  const off = given?.webSearch === false ? WEB_TOOLS : [];
  return {
    enabled: env.TOOLS !== 'off',
    maxSteps: env.AGENT_MAX_STEPS ?? 10,
    maxMinutes: env.AGENT_MAX_MINUTES ?? 15,
    callsPerMinute: env.TOOL_CALLS_PER_MINUTE ?? 120,
    filter: {
      includedTools: includedTools?.filter((name) => !off.includes(name)),
      filteredTools: off.length === 0 ? filteredTools : [...(filteredTools ?? []), ...off],
    },
  };
}

export type ActionsConfig = {
  enabled: boolean;
  /** Only these domains and their subdomains are called; null allows all. In lower case. */
  allowedDomains: string[] | null;
  /** Whether calls that a REST client asks for wait for a person's permission, too. */
  restAsks: boolean;
};

export function actionsConfig(env: Env, yaml: Yaml): ActionsConfig {
  const domains = yaml.actions?.allowedDomains;
  return {
    enabled: env.ACTIONS !== 'off',
    restAsks: env.REST_ACTIONS_ASK ?? false,
    allowedDomains: domains ? domains.map((domain) => domain.toLowerCase()) : null,
  };
}

export type InterpreterConfig = {
  isOn: boolean;
  /** The operator's own program that runs Python, as one line; undefined for the built-in one. */
  command: string | undefined;
  /** The address or folder that packages are fetched from; undefined for Pyodide's own host. */
  packagesFrom: string | undefined;
};

export function interpreterConfig(env: Env, yaml: Yaml): InterpreterConfig {
  const isOn = env.INTERPRETER === undefined ? yaml.interface?.runCode !== false : env.INTERPRETER === 'on';
  return { isOn, command: env.INTERPRETER_COMMAND, packagesFrom: env.PYTHON_PACKAGES_FROM };
}
