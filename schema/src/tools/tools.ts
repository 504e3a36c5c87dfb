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

/** The most tools that one conversation may choose. */
export const CHOSEN_TOOLS_MAX = 64;
/** The longest key of a tool, in characters. */
export const TOOL_KEY_MAX = 128;
