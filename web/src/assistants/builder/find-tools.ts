import type { ToolInfo } from '@parley/schema/tools/tools';

/** Those whose name contains the text, whatever its case. */
export function findTools(tools: readonly ToolInfo[], text: string, language: string): ToolInfo[] {
  const wanted = text.trim().toLocaleLowerCase(language);
  return tools.filter(({ from }) => from.label.toLocaleLowerCase(language).includes(wanted));
}
