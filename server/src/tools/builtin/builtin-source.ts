// The tools that every server has.
import { defaultTimings, type Timings } from '../../timings.ts';
import type { ToolSource } from '../tool.ts';
import { createCalculator } from './calculator.ts';

export interface BuiltinSource extends ToolSource {
  close(): Promise<void>;
}

/** Keys are the names of the tools. */
export function createBuiltinSource({ calculationMs }: Pick<Timings, 'calculationMs'> = defaultTimings): BuiltinSource {
  const calculator = createCalculator(calculationMs);
  const tools = [calculator.tool];
  return {
    name: 'builtin',
    tools: async ({ keys }) => ({ tools: tools.filter(({ from }) => keys.includes(from.id)), problems: [] }),
    list: async () => tools.map(({ from, description }) => ({ key: from.id, from, description, unavailable: null })),
    close: () => calculator.close(),
  };
}
