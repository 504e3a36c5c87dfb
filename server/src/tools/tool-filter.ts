// The tools that the operator leaves to people.
import type { DeepReadonly } from '../config/freeze.ts';
import type { ToolFilter } from '../config/parts/tools.ts';
import type { ToolSource } from './tool.ts';

/** What actions and skills are called among the tools that administrators switch. */
export const ACTIONS = 'actions';
export const SKILLS = 'skills';

export function isLeft(filter: DeepReadonly<ToolFilter>, name: string): boolean {
  return isOperatorsChoice(filter, name) && !isOff(filter, name);
}

/** Whether administrators switched it off. */
export function isOff({ offTools = [] }: DeepReadonly<ToolFilter>, name: string): boolean {
  return offTools.includes(name);
}

export function isOperatorsChoice({ includedTools, filteredTools = [] }: DeepReadonly<ToolFilter>, name: string) {
  return includedTools ? includedTools.includes(name) : !filteredTools.includes(name);
}

/**
 * The source without the tools that the operator takes out, and those that administrators switched off, of which it says
 * so. The operator's lists have no keys of tool servers, actions and skills.
 */
export function withFilter(source: ToolSource, filterOf: () => DeepReadonly<ToolFilter>): ToolSource {
  const hasOwnKeys = source.name === 'mcp' || source.name === 'action' || source.name === 'skill';
  // Actions are switched together, and so are skills.
  const together = source.name === 'action' ? ACTIONS : source.name === 'skill' ? SKILLS : null;
  const isSwitchedOff = (key: string) => isOff(filterOf(), together ?? key);
  const isHere = (key: string) => !isSwitchedOff(key) && (hasOwnKeys || isOperatorsChoice(filterOf(), key));
  return {
    name: source.name,
    async tools(chosen) {
      const { userId, keys } = chosen;
      const found = await source.tools({ ...chosen, keys: keys.filter(isHere) });
      const off = keys.filter(isSwitchedOff);
      if (off.length === 0) return found;
      const named = (await source.list(userId)).filter(({ key }) => off.includes(key));
      const problems = named.map(({ from }) => ({ from, text: `${from.label} is switched off on this server.` }));
      return { ...found, problems: [...found.problems, ...problems] };
    },
    list: async (userId) => (await source.list(userId)).filter(({ key }) => isHere(key)),
  };
}
