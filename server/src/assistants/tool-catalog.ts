// The tools that an assistant can have, and their definitions.
import type { ToolInput } from '@parley/schema/assistants/assistant-inputs';
import type { AssistantTool } from '@parley/schema/assistants/assistants';
import type { ToolInfo } from '@parley/schema/tools/tools';
import type { AssistantRules } from './rules.ts';
import type { SourceTools, Tool, ToolSource } from '../tools/tool.ts';

/** By this name existing clients ask for a model that sees images. */
export const IMAGE_VISION = 'image_vision';

export interface ToolCatalog {
  /** What this person can give an assistant by name. */
  list(userId: string): Promise<ToolInfo[]>;
  /** The tools with definitions in place of names: of the list, else of `known`. Names of no tool are left out. */
  define(userId: string, tools: readonly ToolInput[], known?: readonly AssistantTool[]): Promise<AssistantTool[]>;
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
    return [...all.flat().filter(isChosenByName), ...own];
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

  /** By key: as the model is told of the tool, if that has the name of its key; else by the words of the list. */
  async function definitionsOf(userId: string, names: readonly string[]): Promise<Map<string, AssistantTool[]>> {
    if (names.length === 0) return new Map();
    const wanted = (await list(userId)).filter(({ key }) => names.includes(key));
    const found = new Map<string, AssistantTool[]>();
    for (const info of wanted) found.set(info.key, [await definitionOf(userId, info)]);
    return found;
  }

  async function definitionOf(userId: string, { key, from, description }: ToolInfo): Promise<AssistantTool> {
    if (key === IMAGE_VISION) return IMAGE_VISION_TOOL;
    const chosen = { userId, convoId: '', keys: [key], files: [] };
    // A server is chosen as a whole, and is not asked for its tools here.
    const made = from.source === 'mcp' ? [] : sources.map((source) => source.tools(chosen).then(toolsIn, () => []));
    const tool = (await Promise.all(made)).flat().find(({ name }) => name === key);
    const { parameters } = tool ?? {};
    const told = (tool?.description ?? description).slice(0, DESCRIPTION_MAX).toWellFormed();
    return {
      type: 'function',
      function: { name: key, description: told, ...(parameters && { parameters: { ...parameters } }) },
    };
  }
}

/** Of `FunctionTool.description`. */
const DESCRIPTION_MAX = 4096;

/** The code interpreter is a tool of its own type, and actions come with their functions. */
function isChosenByName({ key, from }: ToolInfo): boolean {
  return from.source !== 'action' && key !== 'code_interpreter';
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
