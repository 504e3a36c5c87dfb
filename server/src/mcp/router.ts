// Procedures for MCP servers. Their secrets never leave the server again.
import type { Db } from '@parley/db/client';
import { AddMcpServer, McpServerRef, SetMcpTools, UpdateMcpServer } from '@parley/schema/tools/mcp-inputs';
import type { McpServer } from '@parley/schema/tools/mcp-servers';
import { limitCalls } from '../abuse/call-limits.ts';
import { withServices } from '../http/trpc.ts';
import { findUser } from '../auth/users.ts';
import { audit } from '../platform/audit.ts';
import type { Mcp } from './mcp.ts';

const { protectedProcedure, router } = withServices<{ mcp: Mcp }>();

export const mcpRouter = router({
  /** The operator's servers, then this person's own. */
  list: protectedProcedure.query(async ({ ctx }): Promise<McpServer[]> => {
    return withProgramLogs(ctx, await ctx.deps.mcp.list(ctx.user.id));
  }),

  /** Whether this person may add servers. */
  canAdd: protectedProcedure.query(({ ctx }): boolean => ctx.deps.config.mcp.userServers),

  add: protectedProcedure.input(AddMcpServer).mutation(async ({ ctx, input }): Promise<McpServer> => {
    await limitCalls(ctx, ctx.user.id, 'mcp');
    const server = await ctx.deps.mcp.add(ctx.user.id, input);
    audit(ctx.deps, 'mcp_server_saved', { userId: ctx.user.id, host: new URL(input.url).host });
    return server;
  }),

  /** What is left out stays; a header only where the host stays, too. */
  update: protectedProcedure.input(UpdateMcpServer).mutation(async ({ ctx, input }): Promise<McpServer> => {
    await limitCalls(ctx, ctx.user.id, 'mcp');
    const server = await ctx.deps.mcp.update(ctx.user.id, input);
    audit(ctx.deps, 'mcp_server_saved', { userId: ctx.user.id, host: new URL(server.url ?? '').host });
    return server;
  }),

  remove: protectedProcedure.input(McpServerRef).mutation(async ({ ctx, input }) => {
    await ctx.deps.mcp.remove(ctx.user.id, input.id);
    audit(ctx.deps, 'mcp_server_removed', { userId: ctx.user.id });
    return null;
  }),

  /** Asks the server for its tools now. */
  refresh: protectedProcedure.input(McpServerRef).mutation(async ({ ctx, input }): Promise<McpServer> => {
    await limitCalls(ctx, ctx.user.id, 'mcp');
    const server = await ctx.deps.mcp.refresh(ctx.user.id, input.id);
    return (await withProgramLogs(ctx, [server]))[0] ?? server;
  }),

  setTools: protectedProcedure
    .input(SetMcpTools)
    .mutation(({ ctx, input }): Promise<McpServer> =>
      ctx.deps.mcp.setTools(ctx.user.id, input.id, input.tools, input.isOn),
    ),

  /** Where the browser goes to sign in. */
  signIn: protectedProcedure.input(McpServerRef).mutation(async ({ ctx, input }): Promise<{ url: string }> => {
    return { url: await ctx.deps.mcp.signInUrl(ctx.user.id, input.id) };
  }),

  signOut: protectedProcedure
    .input(McpServerRef)
    .mutation(({ ctx, input }): Promise<McpServer> => ctx.deps.mcp.signOut(ctx.user.id, input.id)),
});

/** Administrators see what the program of a server said before it failed. */
async function withProgramLogs(
  { deps, user }: { deps: { db: Db; mcp: Mcp }; user: { id: string } },
  servers: McpServer[],
): Promise<McpServer[]> {
  const hasLog = ({ isShared, url, reason }: McpServer) => isShared && url === null && reason !== null;
  if (!servers.some(hasLog) || (await findUser(deps.db, user.id))?.role !== 'ADMIN') return servers;
  return servers.map((server) => (hasLog(server) ? { ...server, log: deps.mcp.programLog(server.id) } : server));
}
