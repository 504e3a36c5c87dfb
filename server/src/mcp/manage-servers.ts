// The MCP servers as people see them, and what they do with them.
import { randomUUID } from 'node:crypto';
import type { Db, Query } from '@parley/db/client';
import { mcpServers, toolGrants } from '@parley/db/tables/tools';
import { users } from '@parley/db/tables/users';
import { withUserLock } from '@parley/db/user-rows';
import type { AddMcpServer, UpdateMcpServer } from '@parley/schema/tools/mcp-inputs';
import type { McpServer } from '@parley/schema/tools/mcp-servers';
import { and, eq, like, sql } from 'drizzle-orm';
import type { Config } from '../config/config.ts';
import { startUrl } from '../connections/sign-in.ts';
import type { Encryption } from '../keys/encryption.ts';
import type { Egress } from '../platform/egress.ts';
import { refuse } from '../platform/errors.ts';
import { isOff } from '../tools/tool-filter.ts';
import type { McpClients } from './clients.ts';
import { encryptHeader, ofServer, mcpService, type McpServerEntry, type McpServers } from './servers.ts';
import type { McpTokenStore } from './tokens.ts';
import type { ToolList, ToolLists } from './tool-lists.ts';

export interface ManagedServers {
  list(userId: string): Promise<McpServer[]>;
  /** @throws Refusal `forbidden` where users may not add servers; `forbidden_base_url`; `invalid_input`; `conflict` */
  add(userId: string, input: AddMcpServer): Promise<McpServer>;
  /** @throws Refusal as `add`; `not_found`, also for servers of the operator */
  update(userId: string, input: UpdateMcpServer): Promise<McpServer>;
  /** @throws Refusal `not_found`, also for servers of the operator */
  remove(userId: string, id: string): Promise<void>;
  /** Asks the server for its tools now. @throws Refusal `not_found` */
  refresh(userId: string, id: string): Promise<McpServer>;
  /** Switches tools on or off. @throws Refusal `not_found` */
  setTools(userId: string, id: string, tools: readonly string[], isOn: boolean): Promise<McpServer>;
  /** Where the person signs in. @throws Refusal `not_found` */
  signInUrl(userId: string, id: string): Promise<string>;
  /** @throws Refusal `not_found` */
  signOut(userId: string, id: string): Promise<McpServer>;
}

export interface ServerRowDeps {
  config: Config;
  db: Db;
  egress: Egress;
  encryption: Encryption;
}

interface ManagementDeps extends ServerRowDeps {
  servers: McpServers;
  tokens: McpTokenStore;
  clients: McpClients;
  lists: ToolLists;
}

const PER_USER_MAX = 20;

export function createManagedServers(deps: ManagementDeps): ManagedServers {
  const { config, db, servers, tokens, clients, lists } = deps;
  const viewerOf = (userId: string) => readViewer(db.query, tokens, userId);

  async function refreshed(userId: string, id: string): Promise<McpServer> {
    const server = await servers.find(userId, id);
    if (!server.isEnabled) return shown(server);
    const list = await lists.refresh(server);
    return present(server, list, await viewerOf(userId));
  }

  async function shown(server: McpServerEntry): Promise<McpServer> {
    return present(server, await lists.read(server), await viewerOf(server.userId));
  }

  return {
    async list(userId) {
      const [all, known, viewer] = await Promise.all([servers.list(userId), lists.readAll(userId), viewerOf(userId)]);
      const offered = all.filter(({ id }) => !isOff(config.tools.filter, mcpService(id)));
      return offered.map((server) => present(server, known.get(server.id) ?? null, viewer));
    },
    async add(userId, input) {
      const id = randomUUID();
      await addRow(deps, userId, id, input);
      return refreshed(userId, id);
    },
    async update(userId, input) {
      const former = await servers.find(userId, input.id);
      await updateRow(deps, former, input);
      const server = await servers.find(userId, input.id);
      await clients.drop(server);
      // Tokens and tools of the former address could be somebody else's.
      if (!isSamePlace(former, server)) {
        await tokens.forget(server);
        await lists.forget(server);
      }
      return refreshed(userId, input.id);
    },
    async remove(userId, id) {
      const server = await servers.find(userId, id);
      if (server.isShared) refuse({ type: 'not_found', what: 'mcp_server' });
      await db.query.transaction(async (tx) => {
        await tx.delete(mcpServers).where(ofServer(userId, id));
        await forgetGrants(tx, userId, id);
      });
      await Promise.all([tokens.forget(server), lists.forget(server), clients.drop(server)]);
    },
    refresh: refreshed,
    async setTools(userId, id, tools, isOn) {
      const server = await servers.find(userId, id);
      await lists.setOff(server, tools, !isOn);
      return shown(server);
    },
    async signInUrl(userId, id) {
      const { auth } = await servers.find(userId, id);
      return auth === 'oauth' ? startUrl(config, mcpService(id)) : refuse({ type: 'not_found', what: 'mcp_server' });
    },
    async signOut(userId, id) {
      const server = await servers.find(userId, id);
      await Promise.all([tokens.forget(server), clients.drop(server)]);
      return shown(server);
    },
  };
}

/** Who sees a server. */
interface Viewer {
  /** What they are signed in to. */
  services: ReadonlySet<string>;
  isAdmin: boolean;
}

async function readViewer(query: Query, tokens: Pick<McpTokenStore, 'services'>, userId: string): Promise<Viewer> {
  const [services, isAdmin] = await Promise.all([tokens.services(userId), isAdministrator(query, userId)]);
  return { services, isAdmin };
}

async function isAdministrator(query: Query, userId: string): Promise<boolean> {
  const [user] = await query.select({ role: users.role }).from(users).where(eq(users.id, userId));
  return user?.role === 'ADMIN';
}

/** An allow-list of fields, so that secrets never leave. Where the operator's servers are is nobody else's business. */
function present(server: McpServerEntry, list: ToolList | null, { services, isAdmin }: Viewer): McpServer {
  const { id, name, target, auth, isShared, isEnabled } = server;
  const { tools = [], off = [], reason = null } = list ?? {};
  return {
    id,
    name,
    url: target.type !== 'http' ? null : isShared && !isAdmin ? '' : target.url,
    auth,
    isShared,
    isEnabled,
    isSignedIn: services.has(mcpService(id)),
    tools: tools.map((tool) => ({
      name: tool.name,
      description: tool.description,
      isOn: !off.includes(tool.name),
      ...(tool.isUnusable && { isUnusable: true }),
    })),
    reason,
  };
}

/** The user's row is locked, so that two devices cannot pass the limit together. */
async function addRow(
  { config, db, egress, encryption }: ServerRowDeps,
  userId: string,
  id: string,
  input: AddMcpServer,
) {
  if (!config.mcp.userServers) refuse({ type: 'forbidden' });
  const { name, url, auth, header } = input;
  assertCallable(egress, url);
  if (auth === 'header' && !header) refuse({ type: 'invalid_input', text: 'The header is required' });
  const encrypted = auth === 'header' && header ? encryptHeader(encryption, { userId, id, url }, header) : null;
  await withUserLock(db.query, userId, async (tx) => {
    if ((await tx.$count(mcpServers, eq(mcpServers.userId, userId))) >= PER_USER_MAX)
      refuse({ type: 'conflict', text: `You can have ${PER_USER_MAX} tool servers` });
    await tx.insert(mcpServers).values({ userId, id, name, url, auth, encrypted });
  });
}

async function updateRow({ db, egress, encryption }: ServerRowDeps, former: McpServerEntry, input: UpdateMcpServer) {
  const { userId, id, isShared, target } = former;
  if (isShared || target.type !== 'http') return refuse({ type: 'not_found', what: 'mcp_server' });
  const { name = former.name, url = target.url, auth = former.auth, isEnabled = former.isEnabled } = input;
  assertCallable(egress, url);
  const isSameHost = new URL(url).host === new URL(target.url).host;
  const [known] = isSameHost ? Object.entries(target.headers).map(([key, value]) => ({ name: key, value })) : [];
  const header = input.header ?? known;
  if (auth === 'header' && !header) refuse({ type: 'invalid_input', text: 'The header is required' });
  const encrypted = auth === 'header' && header ? encryptHeader(encryption, { userId, id, url }, header) : null;
  await db.query.update(mcpServers).set({ name, url, auth, isEnabled, encrypted }).where(ofServer(userId, id));
}

/** @throws Refusal `forbidden_base_url` */
function assertCallable(egress: Egress, address: string): void {
  const url = new URL(address);
  url.search = '';
  egress.baseURLOf(url.href);
}

function isSamePlace(
  { target: one, auth }: McpServerEntry,
  { target: other, auth: otherAuth }: McpServerEntry,
): boolean {
  return auth === otherAuth && one.type === 'http' && other.type === 'http' && one.url === other.url;
}

/** A server that gets the same name later is another one. */
async function forgetGrants(tx: Query, userId: string, id: string): Promise<void> {
  const ofThis = sql`${`mcp:${id}:`} || '%'`;
  await tx.delete(toolGrants).where(and(eq(toolGrants.userId, userId), like(toolGrants.tool, ofThis)));
}
