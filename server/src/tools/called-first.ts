// The order in which tools are offered where there is no room for all of them.
import type { Tool } from './tool.ts';

/** The tools that a conversation has called, the last one first; then the others as they came. */
export function calledFirst(tools: readonly Tool[], called: readonly string[]): Tool[] {
  if (called.length === 0) return [...tools];
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const known = called.flatMap((name) => byName.get(name) ?? []);
  return [...new Set([...known, ...tools])];
}

/** Puts the tools for which this holds before the others. */
export function putFirst(tools: readonly Tool[], holds: (tool: Tool) => boolean): Tool[] {
  return [...tools.filter(holds), ...tools.filter((tool) => !holds(tool))];
}
