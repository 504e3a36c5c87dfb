// Tool servers that administrators add. A program on this machine is for parley.yaml alone: it would be a shell.
import type { Tx } from '@parley/db/client';
import { mcpTools, toolGrants } from '@parley/db/tables/tools';
import type { SaveToolServer, ToolServer, ToolTried } from '@parley/schema/tools/tool-settings';
import { eq, sql } from 'drizzle-orm';
import type * as z from 'zod';
import { mcpService } from '../../mcp/servers.ts';
import { serverConfig } from '../../tools/saved/with-saved.ts';
import { encryptedValues, openedTool, storedTools, type StoredTool } from '../../tools/saved/saved-tools.ts';
import type { Actor } from '../audit-events.ts';
import { invalid } from './services.ts';
import { writeTool, type ToolServices } from './write-tool.ts';

/** @throws Refusal `conflict`, `invalid_input`, `forbidden_base_url` */
export async function saveServer(
  deps: ToolServices,
  actor: Actor,
  input: z.output<typeof SaveToolServer>,
): Promise<null> {
  const name = mcpService(input.name);
  return writeTool(deps, actor, { ...input, name }, async (stored, tx) => {
    const values = checkedHeaders(deps, input, stored);
    const { url } = input;
    // What another server told, and what people allowed it, is not this one's.
    if (stored && stored.config['url'] !== url) await forgetServer(tx, name);
    const encrypted = encryptedValues(deps.encryption, { name, values });
    const event = { event: 'tool.server_saved', details: { name: input.name, address: new URL(url).host } };
    return { change: { config: { url }, encrypted }, event };
  });
}

/** Asks the server for its tools; nothing is saved. @throws Refusal `invalid_input`, `forbidden_base_url` */
export async function tryServer(deps: ToolServices, userId: string, input: ToolServer): Promise<ToolTried> {
  const stored = (await storedTools(deps.db.query)).find(({ name }) => name === mcpService(input.name));
  const headers = checkedHeaders(deps, input, stored);
  return deps.mcp.tryServer(userId, serverConfig(input.name, input.url, headers));
}

function checkedHeaders(deps: ToolServices, { name, url, headers }: ToolServer, stored: StoredTool | undefined) {
  const isOperators = deps.toolSettings.operators.mcp.servers.some(
    (one) => one.name.toLowerCase() === name.toLowerCase(),
  );
  if (isOperators) invalid('The yaml file of this server has a tool server of this name, and wins.');
  const place = new URL(url);
  place.search = '';
  deps.egress.baseURLOf(place.href);
  if (headers) return Object.fromEntries(headers.map((header) => [header.name, header.value]));
  const before = stored && openedTool(stored, deps.encryption);
  if (!before) return {};
  const isSaved = Object.keys(before.values).length > 0 || stored.encrypted !== null;
  if (isSaved && before.url !== url) invalid('Enter the headers again: the address is another one.');
  return { ...before.values };
}

/** What people have seen of a tool server, and what they always allow it. */
export async function forgetServer(tx: Tx, key: string): Promise<void> {
  await tx.delete(mcpTools).where(eq(mcpTools.server, key.slice(mcpService('').length)));
  await tx.delete(toolGrants).where(sql`starts_with(${toolGrants.tool}, ${`${key}:`})`);
}
