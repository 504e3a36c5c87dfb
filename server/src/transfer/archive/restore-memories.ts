// What an export of everything remembers. It comes after the conversations, which it names. Whether anything is
// remembered here is no part of it: that stays as its owner has chosen.
import type { Db } from '@parley/db/client';
import { convos, memories } from '@parley/db/tables/convos';
import { folders } from '@parley/db/tables/folders';
import { lockUser } from '@parley/db/user-rows';
import { rowReader } from '@parley/db/travelling';
import { Id } from '@parley/schema/ids';
import { MemoryText } from '@parley/schema/tools/memories';
import type { MemoryScope } from '@parley/schema/settings/memory-mode';
import { MEMORIES_MAX } from '@parley/schema/tools/memory-rules';
import type { Counts } from '@parley/schema/transfer/results';
import { and, eq, inArray, isNull } from 'drizzle-orm';
import * as z from 'zod';
import { nextHint } from '../../convos/changes.ts';
import { derivedId } from '../../platform/derived-id.ts';
import type { Zip } from '../../platform/zip/read-zip.ts';
import type { StoredLinks } from '../stored-links.ts';
import { itemsOf } from './items-of.ts';
import { LISTS } from './open-archive.ts';

const readMemory = rowReader('memories', { text: MemoryText, uses: z.int().min(0).max(1_000_000_000) }, [
  'id',
  'scope',
  'convoId',
  'messageId',
]);

const maybe = z.string().max(256).nullable().catch(null);
const Keys = z.object({ id: z.string().min(1).max(256), scope: z.string().max(300), convoId: maybe, messageId: maybe });

/** Adds those that are not here, up to the limit. */
export async function restoreMemories(
  db: Db,
  userId: string,
  zip: Zip,
  stored: Pick<StoredLinks, 'assistant'>,
): Promise<Counts> {
  const counts = { imported: 0, present: 0, skipped: 0 };
  for await (const value of itemsOf(zip, LISTS.memory)) counts[await take(value)] += 1;
  if (counts.imported > 0) await db.query.transaction((tx) => nextHint(tx, userId, 'settings'));
  return counts;

  async function take(value: unknown): Promise<keyof Counts> {
    const { data } = Keys.safeParse(value);
    const { text, ...others } = readMemory(value);
    const scope = data && (await scopeHere(data.scope));
    if (!data || text === undefined || scope === undefined) return 'skipped';
    const made = derivedId('import-memory', userId, data.id);
    const own = Id.safeParse(data.id).data ?? made;
    const from = data.convoId === null ? {} : await sourceHere(data.convoId, data.messageId);
    return db.query.transaction(async (tx) => {
      await lockUser(tx, userId);
      const isKnown = and(eq(memories.userId, userId), inArray(memories.id, [own, made]));
      if ((await tx.$count(memories, isKnown)) > 0) return 'present';
      if ((await tx.$count(memories, eq(memories.userId, userId))) >= MEMORIES_MAX) return 'skipped';
      const row = { ...others, ...from, userId, id: made, scope, text };
      const added = await tx.insert(memories).values(row).onConflictDoNothing().returning({ id: memories.id });
      return added.length > 0 ? 'imported' : 'present';
    });
  }

  /** Undefined where its folder or assistant is not here. */
  async function scopeHere(scope: string): Promise<MemoryScope | undefined> {
    if (scope === '') return scope;
    const [kind = '', id = ''] = scope.split(':', 2);
    if (kind === 'assistant') return ofScope(kind, stored.assistant(id));
    const made = derivedId('import-folder', userId, id);
    return kind === 'folder' ? ofScope(kind, await idHere(folders, [Id.safeParse(id).data ?? made, made])) : undefined;
  }

  /** The conversation and the reply here; neither of one that did not come along. */
  async function sourceHere(sourceId: string, messageId: string | null) {
    const made = derivedId('import', userId, sourceId);
    const convoId = await idHere(convos, [Id.safeParse(sourceId).data ?? made, made], isNull(convos.deletedAt));
    if (convoId === undefined || messageId === null) return { ...(convoId !== undefined && { convoId }) };
    const own = Id.safeParse(messageId).data;
    const isOwn = own !== undefined && convoId === sourceId;
    return { convoId, messageId: isOwn ? own : derivedId('import', userId, sourceId, messageId) };
  }

  async function idHere(
    table: typeof folders | typeof convos,
    ids: readonly string[],
    also?: ReturnType<typeof isNull>,
  ): Promise<string | undefined> {
    const isOne = and(eq(table.userId, userId), inArray(table.id, [...ids]), also);
    const rows = await db.query.select({ id: table.id }).from(table).where(isOne);
    return ids.find((id) => rows.some((row) => row.id === id));
  }
}

function ofScope(kind: 'folder' | 'assistant', id: string | undefined): MemoryScope | undefined {
  return id === undefined ? undefined : `${kind}:${id}`;
}
