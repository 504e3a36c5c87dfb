// Tools that a person allowed once and for all.
import { createHash } from 'node:crypto';
import type { Query } from '@parley/db/client';
import { toolGrants } from '@parley/db/tables/tools';
import type { ToolGrant } from '@parley/schema/tools/tools';
import { and, asc, eq, sql } from 'drizzle-orm';
import type { Tool } from './tool.ts';

type Granted = Pick<Tool, 'from' | 'name' | 'description' | 'parameters' | 'does' | 'isLent'>;

/** Whether this user always allows the tool as it is now: one that has changed since is asked about again. */
export async function isGranted(query: Query, userId: string, tool: Granted): Promise<boolean> {
  const [grant] = await query
    .select({ fingerprint: toolGrants.fingerprint })
    .from(toolGrants)
    .where(and(eq(toolGrants.userId, userId), eq(toolGrants.tool, grantKeyOf(tool))));
  return grant?.fingerprint === fingerprintOf(tool);
}

export async function grantTool(query: Query, userId: string, tool: Granted): Promise<void> {
  const fingerprint = fingerprintOf(tool);
  await query
    .insert(toolGrants)
    .values({ userId, tool: grantKeyOf(tool), fingerprint })
    .onConflictDoUpdate({ target: [toolGrants.userId, toolGrants.tool], set: { fingerprint, createdAt: sql`now()` } });
}

/** In the order of their names. */
export async function listGrants(query: Query, userId: string): Promise<ToolGrant[]> {
  return query
    .select({ tool: toolGrants.tool, createdAt: toolGrants.createdAt })
    .from(toolGrants)
    .where(eq(toolGrants.userId, userId))
    .orderBy(asc(toolGrants.tool));
}

/** Returns how many there were: none that is another user's. */
export async function revokeGrant(query: Query, userId: string, tool: string): Promise<{ count: number }> {
  const revoked = await query
    .delete(toolGrants)
    .where(and(eq(toolGrants.userId, userId), eq(toolGrants.tool, tool)))
    .returning({ tool: toolGrants.tool });
  return { count: revoked.length };
}

function grantKeyOf({ from, name }: Granted): string {
  return `${from.source}:${from.id}:${name}`;
}

/** Of a tool that is lent, also where it goes: its owner is another person, who may lead it elsewhere. */
function fingerprintOf({ description, parameters, does, isLent }: Granted): string {
  return createHash('sha256')
    .update(JSON.stringify([description, parameters, ...(isLent ? [does ?? ''] : [])]))
    .digest('hex');
}
