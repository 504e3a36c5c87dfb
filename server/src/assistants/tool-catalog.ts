// The tools that an assistant can have, and their definitions.
import type { ToolInput } from '@parley/schema/assistants/assistant-inputs';
import type { AssistantTool } from '@parley/schema/assistants/assistants';
import type { ToolInfo } from '@parley/schema/tools/tools';
import type { AssistantRules } from './rules.ts';
import type { SourceTools, Tool, ToolSource } from '../tools/tool.ts';

/** Plugins that work without a conversation of their own kind. The others belong to the plugins endpoint. */
const PLUGINS: ReadonlySet<string> = new Set([
  'traversaal_search',
  'google',
  'wolfram',
  'dalle',
  'tavily_search_results_json',
  'calculator',
  'stable-diffusion',
  'azure-ai-search',
]);

/** By this name existing clients ask for a model that sees pictures. */
export const IMAGE_VISION = 'image_vision';

export interface ToolCatalog {
  /** What this person can give an assistant by name. */
  list(userId: string): Promise<ToolInfo[]>;
  /** The tools with definitions in place of names: of the list, else of `known`. Names of no tool are left out. */
  define(userId: string, tools: readonly ToolInput[], known?: readonly AssistantTool[]): Promise<AssistantTool[]>;
}

export function isForAssistants(key: string): boolean {
  return PLUGINS.has(key);
}

/** Of what the operator's capabilities leave on. */
export function createToolCatalog(
  sources: readonly ToolSource[],
  { capabilities }: Pick<AssistantRules, 'capabilities'>,
): ToolCatalog {
  const own = capabilities.includes('image_vision') ? [IMAGE_VISION_INFO] : [];
  return { list, define };

  async function list(userId: string): Promise<ToolInfo[]> {
    if (!capabilities.includes('tools')) return own;
    // A source that cannot be reached offers nothing now.
    const all = await Promise.all(sources.map((source) => source.list(userId).catch((): ToolInfo[] => [])));
    return [...all.flat().filter(({ key }) => isForAssistants(key)), ...own];
  }

  async function define(
    userId: string,
    tools: readonly ToolInput[],
    known: readonly AssistantTool[] = [],
  ): Promise<AssistantTool[]> {
    const names = tools.filter((tool) => typeof tool === 'string');
    const defined = await definitionsOf(userId, names);
    const all = tools.flatMap((tool) =>
      typeof tool === 'string' ? (defined.get(tool) ?? functionsOf(known, tool)) : [withoutUndefined(tool)],
    );
    return unique(all);
  }

  /** By name. Each is asked for by itself: a tool's name may differ from the key by which it is chosen. */
  async function definitionsOf(userId: string, names: readonly string[]): Promise<Map<string, AssistantTool[]>> {
    if (names.length === 0) return new Map();
    const offered = new Set((await list(userId)).map(({ key }) => key));
    const wanted = [...new Set(names)].filter((name) => offered.has(name));
    const found = await Promise.all(wanted.map(async (key) => [key, await toolsOf(userId, key)] as const));
    return new Map(found);
  }

  async function toolsOf(userId: string, key: string): Promise<AssistantTool[]> {
    if (key === IMAGE_VISION) return [IMAGE_VISION_TOOL];
    const chosen = { userId, convoId: '', keys: [key], files: [] };
    const made = await Promise.all(sources.map((source) => source.tools(chosen).then(toolsIn, () => [])));
    return made.flat().map(({ name, description, parameters }) => ({
      type: 'function',
      function: { name, description, parameters: { ...parameters } },
    }));
  }
}

const SEES = 'Get detailed text descriptions for all current image attachments.';
const IMAGE_VISION_INFO: ToolInfo = {
  key: IMAGE_VISION,
  from: { source: 'builtin', id: IMAGE_VISION, label: 'Image Vision' },
  description: SEES,
  unavailable: null,
};
const IMAGE_VISION_TOOL: AssistantTool = {
  type: 'function',
  function: {
    name: IMAGE_VISION,
    description: SEES,
    parameters: { type: 'object', properties: {}, required: [] },
  },
};

function functionsOf(known: readonly AssistantTool[], name: string): AssistantTool[] {
  return known.filter((tool) => tool.type === 'function' && tool.function.name === name);
}

function toolsIn({ tools }: SourceTools): Tool[] {
  return tools;
}

function withoutUndefined(tool: Exclude<ToolInput, string>): AssistantTool {
  if (tool.type !== 'function') return { type: tool.type };
  const { name, description, parameters } = tool.function;
  return {
    type: 'function',
    function: { name, ...(description !== undefined && { description }), ...(parameters && { parameters }) },
  };
}

/** A tool that is named twice, or named and given, counts once. */
function unique(tools: readonly AssistantTool[]): AssistantTool[] {
  const byName = new Map<string, AssistantTool>();
  for (const tool of tools) {
    const name = tool.type === 'function' ? `function ${tool.function.name}` : tool.type;
    if (!byName.has(name)) byName.set(name, tool);
  }
  return [...byName.values()];
}
