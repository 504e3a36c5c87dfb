import { hashedName, legalName, TOOL_NAME_MAX } from '../tools/tool-names.ts';

/** `mcp_<server>_<tool>`. A name that had to change ends with a hash, so that no two tools of a server share one. */
export function toolName(server: string, tool: string): string {
  const given = `mcp_${server}_${tool}`;
  const name = legalName(given);
  return name === given && name.length <= TOOL_NAME_MAX ? name : hashedName(name, given);
}
