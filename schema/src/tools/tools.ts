// Tools as people choose them.
import type { Reason } from '../reasons.ts';
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
  /** Of the code interpreter: the packages beside the standard library, with their versions. Absent: nobody knows. */
  packages?: string[];
  /** Of an MCP server: its tools as they were seen last, with the beginning of what they say of themselves. */
  tools?: ToolPart[];
  /** Why it cannot be chosen now, in English; null when it can. */
  unavailable: string | null;
  /** The same for other languages, where it is one of these. */
  why?: ToolHindrance;
  /**
   * For one that can be chosen, but wants its person to sign in first: the page that does that; null where it is done
   * in the settings.
   */
  signInUrl?: string | null;
}

export interface ToolPart {
  name: string;
  description?: string;
  /** Whether answers may use it. */
  isOn: boolean;
}

export type ToolHindrance =
  | { type: 'no_search' }
  /** The fields of a plugin that have no value yet, with their English labels. */
  | { type: 'values_missing'; fields: { field: string; label: string }[] }
  /** Its service was ended. */
  | { type: 'service_ended' }
  /** As before; `name` has a server of the Model Context Protocol in its place. */
  | { type: 'service_moved'; name: string }
  | { type: 'actions_off' }
  | { type: 'host_forbidden'; host: string }
  | { type: 'service'; name: string; reason: Reason['type'] };

/** A tool that a person always allows. */
export interface ToolGrant {
  /** `<source>:<id>:<name>`. */
  tool: string;
  createdAt: string;
}

export { CHOSEN_TOOLS_MAX, TOOL_KEY_MAX } from '../catalog/params.ts';
