// The tools that every server has.
import { defaultTimings, type Timings } from '../../timings.ts';
import type { Chosen, Tool, ToolSource } from '../tool.ts';
import { createArtifactTool } from './artifact.ts';
import { createCalculator } from './calculator.ts';

export interface BuiltinSource extends ToolSource {
  close(): Promise<void>;
}

/**
 * Keys are the names of the tools.
 * @param hasArtifacts false where the operator switched them off
 */
export function createBuiltinSource(
  { calculationMs }: Pick<Timings, 'calculationMs'> = defaultTimings,
  hasArtifacts = true,
): BuiltinSource {
  const calculator = createCalculator(calculationMs);
  const toolsFor = (chosen: Pick<Chosen, 'branch'>): Tool[] =>
    hasArtifacts ? [calculator.tool, createArtifactTool(chosen)] : [calculator.tool];
  return {
    name: 'builtin',
    tools: async (chosen) => ({
      tools: toolsFor(chosen).filter(({ from }) => chosen.keys.includes(from.id)),
      problems: [],
    }),
    list: async () =>
      toolsFor({}).map(({ from, description }) => ({ key: from.id, from, description, unavailable: null })),
    close: () => calculator.close(),
  };
}
