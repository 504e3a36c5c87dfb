// What servers offer, as a person saw it last.
import type { Db } from '@parley/db/client';
import { mcpServers, mcpTools } from '@parley/db/tables/tools';
import { users } from '@parley/db/tables/users';
import type { Reason } from '@parley/schema/reasons';
import type { McpTool } from '@parley/schema/tools/mcp-servers';
import { and, eq, sql, type SQL } from 'drizzle-orm';
import { isLeft } from '../tools/tool-filter.ts';
import { withTimeout } from '../platform/deadline.ts';
import type { Timings } from '../config/timings.ts';
import type { McpClients } from './clients.ts';
import { mcpFailureReason } from './failure.ts';
import { listTools } from './list-tools.ts';
import type { McpServerEntry } from './servers.ts';

export interface ToolList {
  tools: McpTool[];
  /** The names of those that the person switched off. */
  off: string[];
  /** Why the server could not be reached last time. */
  reason: Reason | null;
}

export interface ToolLists {
  /** As it was seen last; null when the server was never asked. */
  read(server: Pick<McpServerEntry, 'userId' | 'id'>): Promise<ToolList | null>;
  /** All of a person's, by the server. */
  readAll(userId: string): Promise<Map<string, ToolList>>;
  /**
   * What can be offered at once: the kept list, renewed meanwhile. A server without one is waited for a moment, then it
   * is a reason that it has not answered.
   */
  atOnce(server: McpServerEntry): Promise<ToolList>;
  /** Asks the server. One that does not answer is a reason. */
  refresh(server: McpServerEntry): Promise<ToolList>;
  setOff(server: McpServerEntry, tools: readonly string[], isOff: boolean): Promise<void>;
  /** Asks the server next time. */
  expire(server: Pick<McpServerEntry, 'userId' | 'id'>): Promise<void>;
  /** Of everybody, also of those to whom its owner lent it. */
  forget(server: Pick<McpServerEntry, 'id'>): Promise<void>;
}

/** A list is asked for again after a minute, a server that was down after half of one. */
const FRESH_SECONDS = 60;
const REST_SECONDS = 30;

interface ToolListDeps {
  db: Db;
  clients: McpClients;
  timings: Pick<Timings, 'toolListMs' | 'toolServerMs'>;
  onFailed(server: McpServerEntry, reason: Reason): void;
  onFault(error: unknown): void;
}

export function createToolLists({ db, clients, timings, onFailed, onFault }: ToolListDeps): ToolLists {
  const { toolListMs: firstListMs, toolServerMs } = timings;
  const ofServer = ({ userId, id }: Pick<McpServerEntry, 'userId' | 'id'>) =>
    and(eq(mcpTools.userId, userId), eq(mcpTools.server, id));
  const age = sql<number>`extract(epoch from now() - ${mcpTools.checkedAt})::float8`;
  const columns = { tools: mcpTools.tools, off: mcpTools.off, reason: mcpTools.reason };

  async function read(server: Pick<McpServerEntry, 'userId' | 'id'>) {
    const [row] = await db.query
      .select({ ...columns, age })
      .from(mcpTools)
      .where(ofServer(server));
    return row ?? null;
  }

  /** Keeps what a server listed, unless it was removed or moved meanwhile. */
  async function write(server: McpServerEntry, list: Pick<ToolList, 'tools' | 'reason'>): Promise<ToolList> {
    const { tools, reason } = list;
    const [row] = await db.query
      .insert(mcpTools)
      .select(
        sql`select ${server.userId}::uuid, ${server.id}::text, ${JSON.stringify(tools)}::jsonb, '[]'::jsonb,
          ${reason && JSON.stringify(reason)}::jsonb, now() from ${stillThere(server)}`,
      )
      .onConflictDoUpdate({ target: [mcpTools.userId, mcpTools.server], set: { ...list, checkedAt: sql`now()` } })
      .returning(columns);
    return row ?? { ...list, off: [] };
  }

  async function refresh(server: McpServerEntry): Promise<ToolList> {
    const known = await read(server);
    try {
      const listed = await clients.use(server, (client) => listTools(client, toolServerMs), true);
      const tools = listed.filter(({ name }) => isLeft(server.filter, name));
      return await write(server, { tools, reason: null });
    } catch (error) {
      const reason = mcpFailureReason(error, toolServerMs);
      onFailed(server, reason);
      return await write(server, { tools: known?.tools ?? [], reason });
    }
  }

  return {
    read,
    refresh,
    atOnce: (server) => listAtOnce({ read, refresh }, server, { firstListMs, onFault }),
    async readAll(userId) {
      const rows = await db.query
        .select({ ...columns, server: mcpTools.server })
        .from(mcpTools)
        .where(eq(mcpTools.userId, userId));
      return new Map(rows.map((row) => [row.server, row]));
    },
    async setOff(server, tools, isOff) {
      const names = JSON.stringify([...new Set(tools)]);
      const others = sql`${mcpTools.off} - array(select jsonb_array_elements_text(${names}::jsonb))`;
      await db.query
        .update(mcpTools)
        .set({ off: isOff ? sql`(${others}) || ${names}::jsonb` : others })
        .where(ofServer(server));
    },
    async expire(server) {
      await db.query
        .update(mcpTools)
        .set({ reason: null, checkedAt: sql`'-infinity'` })
        .where(ofServer(server));
    },
    async forget(server) {
      await db.query.delete(mcpTools).where(eq(mcpTools.server, server.id));
    },
  };
}

type Reading = Pick<ToolLists, 'refresh'> & {
  read(server: McpServerEntry): Promise<(ToolList & { age: number }) | null>;
};

async function listAtOnce(
  { read, refresh }: Reading,
  server: McpServerEntry,
  { firstListMs, onFault }: Pick<ToolListDeps, 'onFault'> & { firstListMs: number },
): Promise<ToolList> {
  const known = await read(server);
  if (known && isRecent(known)) return known;
  const renewed = refresh(server);
  // One that is renewed for the next answer, or that comes too late for this one.
  renewed.catch(onFault);
  // A list that was declared out of date, as after a sign-in, is not offered again.
  const isKept = known !== null && known.reason === null && Number.isFinite(known.age);
  if (isKept && known.tools.length > 0) return known;
  const reason: Reason = { type: 'provider_stalled', seconds: Math.ceil(firstListMs / 1000) };
  return withTimeout(renewed, firstListMs, () => ({ tools: known?.tools ?? [], off: known?.off ?? [], reason }));
}

/** A server that was down is asked again sooner. */
function isRecent({ age, reason }: { age: number; reason: Reason | null }): boolean {
  return age < (reason ? REST_SECONDS : FRESH_SECONDS);
}

/** One row while it exists as it was asked. Its lock makes a removal wait, which then finds what it has to forget. */
function stillThere({ userId, id, isShared, lentBy = userId, target, auth }: McpServerEntry): SQL {
  if (isShared) return sql`${users} where ${users.id} = ${userId} for key share`;
  const url = target.type === 'http' ? target.url : '';
  const asAsked = and(
    eq(mcpServers.userId, lentBy),
    eq(mcpServers.id, id),
    eq(mcpServers.url, url),
    eq(mcpServers.auth, auth),
  );
  return sql`${mcpServers} where ${asAsked} for share`;
}
