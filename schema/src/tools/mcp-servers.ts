// Servers of the Model Context Protocol.
import type { Reason } from '../reasons.ts';

export type McpAuth = 'none' | 'header' | 'oauth';

/** A tool as its server describes it. */
export interface McpTool {
  name: string;
  description: string;
  /** JSON schema of its arguments. */
  parameters: Record<string, unknown>;
  /** What the server says of it. */
  isReadOnly: boolean;
  /** What the server says of it: calling it twice changes no more than calling it once. */
  isIdempotent?: boolean;
  /** Its schema is none of an object: it is shown, and never offered. */
  isUnusable?: boolean;
}

/** Of one server, as a list to choose from. */
export const MCP_TOOLS_MAX = 500;

/** More tools of one server are not offered at once, since models choose badly among them: they search for the others. */
export const MCP_TOOLS_OFFERED_MAX = 50;

/** The key of one tool of a server, beside that of its server: then only such tools of it are used. */
export function serverToolKey(serverKey: string, tool: string): string {
  return `${serverKey}/${tool}`;
}

/** What `mcp:<server>` or `mcp:<server>/<tool>` names. No id of a server has a slash. */
export function readServerKey(key: string): { server: string; tool: string | null } {
  const [, server = '', tool] = /^mcp:([^/]*)(?:\/(.*))?$/s.exec(key) ?? [];
  return { server, tool: tool ?? null };
}

/** A server as its user sees it; secrets are never part of it. */
export interface McpServer {
  id: string;
  name: string;
  /**
   * Null for servers that the operator starts as programs on this machine; empty where it is the operator's and this
   * person is no administrator.
   */
  url: string | null;
  auth: McpAuth;
  /** Set up by the operator for everybody: it cannot be changed or deleted here. */
  isShared: boolean;
  isEnabled: boolean;
  /** For `oauth`: whether this person has signed in. */
  isSignedIn: boolean;
  tools: (Pick<McpTool, 'name' | 'description' | 'isUnusable'> & { isOn: boolean })[];
  /** Why it could not be reached last time. */
  reason: Reason | null;
  /** For administrators: the last lines that its program wrote to its standard error. */
  log?: string[];
}
