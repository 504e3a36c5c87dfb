// Writes what an administrator sets of a tool, with its event. It holds when this resolves.
import type { Tx } from '@parley/db/client';
import { toolSettings } from '@parley/db/tables/administration';
import { eq, sql } from 'drizzle-orm';
import { lockTool, TOOLS_TOPIC, type StoredTool } from '../../tools/saved/saved-tools.ts';
import type { Actor, AuditEvent } from '../audit-events.ts';
import { assertVersion, refuseTaken, saveChange } from '../saved/change.ts';
import type { LiveSettings } from '../../catalog/live/follow-saved.ts';
import type { Egress } from '../../platform/egress.ts';
import type { Encryption } from '../../keys/encryption.ts';
import type { Mcp } from '../../mcp/mcp.ts';
import type { PdfReader } from '../../files/pdf-reader.ts';
import type { Timings } from '../../config/timings.ts';
import type { FileSaverDeps } from '../../files/save-file.ts';

export interface ToolServices extends FileSaverDeps {
  egress: Egress;
  encryption: Encryption;
  mcp: Mcp;
  readPdf: PdfReader;
  timings: Timings;
  toolSettings: LiveSettings;
}

export interface Ref {
  name: string;
  /** What was read; null where nothing is saved. */
  version: number | null;
}

/** `null` removes the row; what is left out stays. */
export type Change = Partial<Pick<StoredTool, 'config' | 'encrypted' | 'isOn'>> | null;

/** @throws Refusal `conflict`; what `change` throws */
export function writeTool(
  { db, toolSettings: { reload } }: ToolServices,
  actor: Actor,
  { name, version }: Ref,
  change: (stored: StoredTool | undefined, tx: Tx) => Promise<{ change: Change; event: AuditEvent }>,
): Promise<null> {
  return saveChange({ db, topic: TOOLS_TOPIC, reload }, actor, async (tx) => {
    const stored = await lockTool(tx, name);
    assertVersion(stored, version);
    const made = await change(stored, tx);
    await write(tx, name, stored, made.change && { ...made.change, changedBy: actor.id });
    return made.event;
  });
}

type Row = Partial<typeof toolSettings.$inferInsert> | null;

async function write(tx: Tx, name: string, stored: StoredTool | undefined, row: Row): Promise<void> {
  const isIt = eq(toolSettings.name, name);
  if (row === null) {
    await tx.delete(toolSettings).where(isIt);
  } else if (stored) {
    const next = { ...row, version: stored.version + 1, changedAt: sql`now()` };
    await tx.update(toolSettings).set(next).where(isIt);
  } else {
    const added = await tx
      .insert(toolSettings)
      .values({ ...row, name })
      .onConflictDoNothing()
      .returning({ name: toolSettings.name });
    if (added.length === 0) refuseTaken();
  }
}
