// The tools that every server has.
import type { StartupConfig } from '@parley/schema/catalog/startup';
import { defaultTimings, type Timings } from '../../config/timings.ts';
import type { Chosen, Tool, ToolSource } from '../tool.ts';
import { createArtifactTool } from './artifact.ts';
import { createCalculator } from './calculator.ts';
import { createMemoryTools } from './memory.ts';

export interface BuiltinSource extends ToolSource {
  close(): Promise<void>;
}

/**
 * Keys are the names of the tools.
 * @param artifacts what the operator allows of them; absent for all
 */
export function createBuiltinSource(
  { calculationMs }: Pick<Timings, 'calculationMs'> = defaultTimings,
  artifacts?: StartupConfig['artifacts'],
): BuiltinSource {
  const calculator = createCalculator(calculationMs);
  const toolsFor = (chosen: Pick<Chosen, 'branch'>): Tool[] =>
    artifacts === 'off' ? [calculator.tool] : [calculator.tool, createArtifactTool(chosen, artifacts !== 'still')];
  return {
    name: 'builtin',
    tools: async (chosen) => {
      const chosenTools = toolsFor(chosen).filter(({ from }) => chosen.keys.includes(from.id));
      // Nobody chooses these: they come with what is remembered.
      return { tools: [...(chosen.memory ? createMemoryTools(chosen.memory) : []), ...chosenTools], problems: [] };
    },
    list: async () =>
      toolsFor({}).map(({ from, description }) => ({ key: from.id, from, description, unavailable: null })),
    close: () => calculator.close(),
  };
}
