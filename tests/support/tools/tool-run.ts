// Calls tools as the loop does.
import { randomUUID } from 'node:crypto';
import type { Chosen, Tool, ToolOutcome, ToolSource } from '@parley/server/tools/tool';

export function choosing(userId: string, keys: readonly string[], files: Chosen['files'] = []): Chosen {
  return { userId, convoId: randomUUID(), keys, files };
}

/** The only tool with this name among those of the keys. */
export async function toolOf(source: ToolSource, chosen: Chosen, name: string): Promise<Tool> {
  const { tools, problems } = await source.tools(chosen);
  const tool = tools.find((one) => one.name === name);
  if (!tool) throw new Error(`There is no ${name}: ${problems.map(({ text }) => text).join(' ')}`);
  return tool;
}

export function callTool(
  tool: Tool,
  args: Record<string, unknown>,
  { userId, convoId }: Chosen,
  signal = new AbortController().signal,
): Promise<ToolOutcome> {
  return tool.run({
    userId,
    convoId,
    generationId: randomUUID(),
    callId: '0:0',
    args,
    signal,
    report() {},
  });
}
