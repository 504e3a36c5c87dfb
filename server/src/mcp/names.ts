// Names of MCP tools for models: `mcp_<server>_<tool>`.
import { createHash } from 'node:crypto';

const NAME_MAX = 64;
const HASH_LENGTH = 8;

/** `^[A-Za-z0-9_-]{1,64}$`. A name that had to change ends with a hash, so that no two tools of a server share one. */
export function toolName(server: string, tool: string): string {
  const given = `mcp_${server}_${tool}`;
  const name = given.replaceAll(/[^A-Za-z0-9_-]/g, '_');
  if (name === given && name.length <= NAME_MAX) return name;
  const hash = createHash('sha256').update(given).digest('hex').slice(0, HASH_LENGTH);
  return `${name.slice(0, NAME_MAX - HASH_LENGTH - 1)}_${hash}`;
}
