// The tools that the operator leaves to people.
import type { DeepReadonly } from '../config/freeze.ts';
import type { ToolFilter } from '../config/parts/tools.ts';
import type { ToolSource } from './tool.ts';

export function isLeft({ includedTools, filteredTools = [] }: DeepReadonly<ToolFilter>, name: string): boolean {
  return includedTools ? includedTools.includes(name) : !filteredTools.includes(name);
}

/** The source without the tools that the operator takes out. Tool servers and actions have keys of their own. */
export function withFilter(source: ToolSource, filter: DeepReadonly<ToolFilter>): ToolSource {
  if (source.name === 'mcp' || source.name === 'action') return source;
  return {
    name: source.name,
    tools: (chosen) => source.tools({ ...chosen, keys: chosen.keys.filter((key) => isLeft(filter, key)) }),
    list: async (userId) => (await source.list(userId)).filter(({ key }) => isLeft(filter, key)),
  };
}
