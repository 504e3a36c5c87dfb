// Tools as people choose them.
import type { ToolOrigin } from '../messages/messages.ts';

/** A tool, or a group of tools that is chosen as one, such as an MCP server. */
export interface ToolInfo {
  /**
   * What a conversation remembers of the choice: the name of a built-in tool, a plugin's key, `mcp:<server>`, or
   * `action:<id>`.
   */
  key: string;
  from: ToolOrigin;
  description: string;
  /** Why it cannot be chosen now, in words for people; null when it can. */
  unavailable: string | null;
}

/** A tool that a person always allows. */
export interface ToolGrant {
  /** `<source>:<id>:<name>`. */
  tool: string;
  createdAt: string;
}

export { CHOSEN_TOOLS_MAX, TOOL_KEY_MAX } from '../catalog/params.ts';
