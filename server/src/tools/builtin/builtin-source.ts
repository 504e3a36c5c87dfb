// The tools that every server has.
import type { ToolSource } from '../tool.ts';
import { createCalculator } from './calculator.ts';

export interface BuiltinSource extends ToolSource {
  close(): Promise<void>;
}

/** Keys are the names of the tools. */
export function createBuiltinSource(): BuiltinSource {
  const calculator = createCalculator();
  const tools = [calculator.tool];
  return {
    name: 'builtin',
    tools: async ({ keys }) => ({ tools: tools.filter(({ from }) => keys.includes(from.id)), problems: [] }),
    list: async () => tools.map(({ from, description }) => ({ key: from.id, from, description, unavailable: null })),
    close: () => calculator.close(),
  };
}
