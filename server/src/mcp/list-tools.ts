// Asks a server for its tools. Their words are bounded and cleaned, and their schemas made safe, before they are kept.
// A tool that cannot be used costs itself, not its server.
import { isObject } from '@parley/schema/json';
import type { Client } from '@modelcontextprotocol/client';
import { cleanJson } from '@parley/schema/clean-text';
import { MCP_TOOLS_MAX, type McpTool } from '@parley/schema/tools/mcp-servers';
import { cutText, visibleText } from '@parley/schema/tools/foreign-text';
import * as z from 'zod';
import { withDeadline } from '../platform/deadline.ts';
import { cleanSchema } from '../tools/clean-schema.ts';

/** Of all tools of one server, as JSON. */
const CHARACTERS_MAX = 1_000_000;
const PAGES_MAX = 100;
const NAME_MAX = 128;
const DESCRIPTION_MAX = 1024;

/** The client's own schema would refuse the whole list for one tool. */
const Page = z.looseObject({
  tools: z.array(z.unknown()).default([]),
  nextCursor: z.string().optional().catch(undefined),
});

const hint = z.boolean().catch(false).default(false);
const Listed = z.object({
  name: z.string().min(1).max(NAME_MAX),
  description: z.string().catch('').default(''),
  inputSchema: z.unknown().optional(),
  annotations: z
    .object({ readOnlyHint: hint, idempotentHint: hint })
    .catch({ readOnlyHint: false, idempotentHint: false }),
});

/** @throws what the client throws */
export async function listTools(client: Client, timeout: number): Promise<McpTool[]> {
  const signal = withDeadline(timeout);
  const found = new Map<string, McpTool>();
  let room = CHARACTERS_MAX;
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX && found.size < MCP_TOOLS_MAX; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const { tools, nextCursor } = await client.request({ method: 'tools/list', params }, Page, {
      signal,
      timeout,
    });
    for (const given of tools) {
      const tool = toolOf(given);
      if (!tool || found.has(tool.name) || found.size >= MCP_TOOLS_MAX) continue;
      room -= JSON.stringify(tool).length;
      if (room < 0) return cleanJson([...found.values()]);
      found.set(tool.name, tool);
    }
    if (!nextCursor) break;
    cursor = nextCursor;
  }
  return cleanJson([...found.values()]);
}

/** Null for what has no name. */
function toolOf(given: unknown): McpTool | null {
  const { data } = Listed.safeParse(given);
  // A name that looks like another one is not shown; the server could not be called by a cleaned one.
  if (!data || data.name !== visibleText(data.name)) return null;
  const { name, description, inputSchema, annotations } = data;
  return {
    name,
    description: cutText(visibleText(description), DESCRIPTION_MAX),
    parameters: cleanSchema(inputSchema),
    isReadOnly: annotations.readOnlyHint,
    isIdempotent: annotations.idempotentHint,
    ...(!isOfObject(inputSchema) && { isUnusable: true }),
  };
}

/** Without a type it is taken for one of an object, which all arguments are. */
function isOfObject(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  const type = schema.type ?? 'object';
  return [type].flat().includes('object');
}
