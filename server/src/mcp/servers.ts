// The MCP servers of a person: those of the operator, and their own where the operator allows them.
import type { Db } from '@parley/db/client';
import { assistants } from '@parley/db/tables/assistants';
import { mcpServers } from '@parley/db/tables/tools';
import { users } from '@parley/db/tables/users';
import { Id } from '@parley/schema/ids';
import type { McpAuth } from '@parley/schema/tools/mcp-servers';
import { and, asc, eq, sql } from 'drizzle-orm';
import * as z from 'zod';
import type { Config } from '../config/config.ts';
import { MCP_TIMEOUT_MS, type McpTarget, type McpServerConfig } from '../config/parts/mcp.ts';
import type { ToolFilter } from '../config/parts/tools.ts';
import type { DeepReadonly } from '../config/freeze.ts';
import type { Encryption } from '../keys/encryption.ts';
import { refuse } from '../platform/errors.ts';
import { isShared } from '../tools/lending.ts';

/** A server as one person uses it. */
export interface McpServerEntry {
  userId: string;
  /** The operator's name of it, or the id of a row of `mcp_servers`. */
  id: string;
  name: string;
  /** The operator's. */
  isShared: boolean;
  /** The operator's, added by an administrator on the page. */
  isSaved?: true;
  /** Its owner, where it is one that somebody else lends. */
  lentBy?: string;
  isEnabled: boolean;
  auth: McpAuth;
  target: DeepReadonly<McpTarget>;
  timeoutMs: number;
  isTrusted: boolean;
  /** Which of its tools the operator leaves. */
  filter: DeepReadonly<ToolFilter>;
}

export type McpServerRow = typeof mcpServers.$inferSelect;

export interface McpServers {
  /** The operator's first, then their own, the oldest first. */
  list(userId: string): Promise<McpServerEntry[]>;
  /** @throws Refusal `not_found` */
  find(userId: string, id: string): Promise<McpServerEntry>;
  /** The same, or one of another's that a shared assistant lends, for who signs in. @throws Refusal `not_found` */
  findUsable(userId: string, id: string): Promise<McpServerEntry>;
}

export interface Header {
  name: string;
  value: string;
}

const Header = z.object({ name: z.string(), value: z.string() });

/** Names a server among the keys of tools and the services of `connections`. */
export function mcpService(id: string): string {
  return `mcp:${id}`;
}

/** Whether its person can do something about a refusal: sign in, or give another header. */
export function canSignIn({ auth, isShared }: McpServerEntry): boolean {
  return auth === 'oauth' || (auth === 'header' && !isShared);
}

export function createMcpServers({
  config,
  db,
  encryption,
}: {
  config: Config;
  db: Db;
  encryption: Encryption;
}): McpServers {
  async function list(userId: string): Promise<McpServerEntry[]> {
    const { servers: shared, userServers } = config.mcp;
    const ofOperator = shared.map((server) => sharedEntry(userId, server));
    if (!userServers) return ofOperator;
    const rows = await db.query
      .select()
      .from(mcpServers)
      .where(eq(mcpServers.userId, userId))
      .orderBy(asc(mcpServers.createdAt), asc(mcpServers.id));
    return [...ofOperator, ...rows.map((row) => ownEntry(encryption, row))];
  }

  return {
    list,
    async find(userId, id) {
      const found = (await list(userId)).find((server) => server.id === id);
      return found ?? refuse({ type: 'not_found', what: 'mcp_server' });
    },
    async findUsable(userId, id) {
      const found = (await list(userId)).find((server) => server.id === id);
      const lent = found || !config.accounts.allowSharedAssistants ? null : await findLent(db, id);
      return (
        found ?? (lent ? asLent(ownEntry(encryption, lent), userId) : refuse({ type: 'not_found', what: 'mcp_server' }))
      );
    },
  };
}

/** As somebody else uses it: without its owner's header, under their own account. */
export function asLent(server: McpServerEntry, userId: string): McpServerEntry {
  const { userId: lentBy, target } = server;
  return { ...server, userId, lentBy, target: target.type === 'http' ? { ...target, headers: {} } : target };
}

/** A server that an assistant lends to everybody. */
async function findLent({ query }: Db, id: string): Promise<McpServerRow | undefined> {
  if (!Id.safeParse(id).success) return undefined;
  const named = JSON.stringify([{ type: 'function', function: { name: mcpService(id) } }]);
  const [found] = await query
    .select({ row: mcpServers })
    .from(mcpServers)
    .innerJoin(users, eq(users.id, mcpServers.userId))
    .innerJoin(assistants, and(eq(assistants.userId, mcpServers.userId), sql`${assistants.tools} @> ${named}::jsonb`))
    .where(and(eq(mcpServers.id, id), isShared()))
    .limit(1);
  return found?.row;
}

export function sharedEntry(userId: string, server: DeepReadonly<McpServerConfig>): McpServerEntry {
  return { ...server, userId, id: server.name, isShared: true, isEnabled: true };
}

function ownEntry(encryption: Encryption, row: McpServerRow): McpServerEntry {
  const { userId, id, name, auth, url, isEnabled } = row;
  const header = decryptHeader(encryption, row);
  const headers: Record<string, string> = header && auth === 'header' ? { [header.name]: header.value } : {};
  const target = { type: 'http' as const, url, headers };
  return {
    userId,
    id,
    name,
    isShared: false,
    isEnabled,
    auth,
    target,
    timeoutMs: MCP_TIMEOUT_MS,
    isTrusted: false,
    filter: {},
  };
}

export function encryptHeader(
  encryption: Encryption,
  owner: Pick<McpServerRow, 'userId' | 'id' | 'url'>,
  header: Header,
): string {
  return encryption.encrypt(JSON.stringify(header), serverOwner(owner));
}

/** Null when there is none, or when it was saved for another host. */
function decryptHeader(encryption: Encryption, row: McpServerRow): Header | null {
  const text = row.encrypted === null ? null : encryption.decrypt(row.encrypted, serverOwner(row));
  return text === null ? null : (Header.safeParse(JSON.parse(text)).data ?? null);
}

export function serverOwner({ userId, id, url }: Pick<McpServerRow, 'userId' | 'id' | 'url'>) {
  return { userId, name: `${mcpService(id)}:${new URL(url).host}` };
}

export function ofServer(userId: string, id: string) {
  return and(eq(mcpServers.userId, userId), eq(mcpServers.id, id));
}
