// Tests of this room: tests/integration/memory.

// What people want their chats to remember: one row for each sentence, its owner first.
import type { Db, Tx } from '@parley/db/client';
import { convos, memories } from '@parley/db/tables/convos';
import { messages } from '@parley/db/tables/messages';
import { users } from '@parley/db/tables/users';
import { DECLINED_MAX, type MemoryMode, type MemorySettings } from '@parley/schema/settings/memory-mode';
import type { SaveMemory, SetMemoryMode } from '@parley/schema/tools/memories';
import { MEMORIES_MAX, type Memory } from '@parley/schema/tools/memory-rules';
import type { MemoryScope } from '@parley/schema/settings/memory-mode';
import type { Counts } from '@parley/schema/transfer/results';
import { and, asc, desc, eq, isNull, sql, type SQL } from 'drizzle-orm';
import { nextHint } from '../convos/changes.ts';
import { isAmong, permanentOwnedBy } from '../convos/rows.ts';
import { refuse, Refusal } from '../platform/errors.ts';
import { isoTime } from '../platform/iso-time.ts';
import { saveStored } from '../settings/settings.ts';

type MemoryRow = typeof memories.$inferSelect;

/** Of a row of `users`. */
const mode = sql<MemoryMode>`coalesce(${users.settings} -> 'memory' ->> 'mode', 'off')`;
const isRemembering = sql`${mode} <> 'off'`;
/** Whether a model saves and deletes by itself. */
const isTrusting = sql`${mode} = 'on'`;

const OFF: MemorySettings = { mode: 'off', exceptEndpoints: [] };

/** Turns it off, or on; the endpoints that are left out stay as they are where none are named. */
export async function setMode(db: Db, userId: string, input: SetMemoryMode): Promise<MemorySettings> {
  const settings = await saveStored(db, userId, ({ memory = OFF }) => {
    const { mode, exceptEndpoints = memory.exceptEndpoints } = input;
    const isEmpty = mode === 'off' && exceptEndpoints.length === 0 && !memory.declined;
    return { memory: isEmpty ? null : { ...memory, mode, exceptEndpoints } };
  });
  return settings.memory ?? OFF;
}

/** Keeps that the person does not want what a model proposed; its card says so in every browser. */
export async function declineMemory(db: Db, userId: string, id: string): Promise<MemorySettings> {
  const settings = await saveStored(db, userId, ({ memory = OFF }) => {
    const others = (memory.declined ?? []).filter((one) => one !== id);
    return { memory: { ...memory, declined: [...others, id].slice(-DECLINED_MAX) } };
  });
  return settings.memory ?? OFF;
}

/** All of them, or those of some conversations; the newest first. */
export async function listMemories(
  { query }: Db,
  userId: string,
  conversationIds?: readonly string[],
): Promise<Memory[]> {
  const rows = await query
    .select({ memory: memories, title: convos.title, convoId: convos.id })
    .from(memories)
    .leftJoin(convos, and(permanentOwnedBy(userId), eq(convos.id, memories.convoId)))
    .where(and(eq(memories.userId, userId), conversationIds && isAmong(memories.convoId, conversationIds)))
    .orderBy(desc(memories.createdAt), asc(memories.id));
  return rows.map(({ memory, title, convoId }) => present(memory, convoId === null ? null : { convoId, title }));
}

/**
 * Adds an entry, or changes the one with this id. The same sentence again is the row that there is.
 * @throws Refusal `memory_off`, `memory_full`
 */
export async function saveMemory(db: Db, userId: string, { id, text, scope, from }: SaveMemory): Promise<Memory> {
  return db.query.transaction(async (tx) => {
    await nextHint(tx, userId, 'settings');
    const changed = await changeMemory(tx, userId, { id, text, scope });
    const source = from ? await findSource(tx, userId, from) : null;
    const row = changed ?? (await addMemory(tx, userId, { id, text, scope, ...(source ?? { source: 'person' }) }));
    return present(row, null);
  });
}

/** The reply that proposed it, if it is this person's. */
async function findSource(
  tx: Tx,
  userId: string,
  { messageId }: NonNullable<SaveMemory['from']>,
): Promise<Pick<NewMemory, 'source' | 'convoId' | 'messageId'> | null> {
  const isIt = and(eq(messages.userId, userId), eq(messages.id, messageId));
  const [row] = await tx
    .select({ convoId: messages.convoId })
    .from(messages)
    .where(and(isIt, isNull(messages.deletedAt)));
  return row ? { source: 'model', convoId: row.convoId, messageId } : null;
}

interface NewMemory {
  id: string;
  text: string;
  scope: MemoryScope;
  source: MemoryRow['source'];
  convoId?: string;
  messageId?: string;
}

/** Null where there is none with this id. Its other fields stay; one that has this sentence already takes its place. */
async function changeMemory(
  tx: Tx,
  userId: string,
  { id, text, scope }: Pick<NewMemory, 'id' | 'text' | 'scope'>,
): Promise<MemoryRow | null> {
  const isIt = and(eq(memories.userId, userId), eq(memories.id, id));
  const [before] = await tx.select().from(memories).where(isIt).for('update');
  if (!before) return null;
  await tx.delete(memories).where(and(isSame(userId, { text, scope }), sql`${memories.id} <> ${id}::uuid`));
  const [row = before] = await tx
    .update(memories)
    .set({ text, scope, updatedAt: sql`now()` })
    .where(isIt)
    .returning();
  return row;
}

/**
 * Adds an entry, unless the sentence is there. Whether anything is remembered at all is asked by the statement that
 * writes, below the lock on the user's row.
 * @throws Refusal `memory_off`, `memory_full`
 */
async function addMemory(tx: Tx, userId: string, entry: NewMemory, isAllowed = isRemembering): Promise<MemoryRow> {
  const { id, text, scope, source, convoId = null, messageId = null } = entry;
  const count = sql`(select count(*) from ${memories} where ${eq(memories.userId, userId)})`;
  const owner = sql`from ${users} where ${users.id} = ${userId}::uuid and ${isAllowed}`;
  await tx.execute(sql`
    insert into memories (user_id, id, scope, text, source, convo_id, message_id)
    select ${users.id}, ${id}::uuid, ${scope}, ${text}, ${source}, ${convoId}::uuid, ${messageId}::uuid
    ${owner} and ${count} < ${MEMORIES_MAX}
    on conflict do nothing`);
  const isThere = and(isSame(userId, { text, scope }), sql`exists (select ${owner})`);
  const [row] = await tx.select().from(memories).where(isThere);
  if (row) return row;
  const isOff = (await tx.execute(sql`select ${owner}`)).length === 0;
  return refuse(isOff ? { type: 'memory_off' } : { type: 'memory_full', max: MEMORIES_MAX });
}

/** Saves what a model remembers by itself. Null, with nothing saved, where it may not. @throws Refusal `memory_full` */
export async function saveByModel(
  { query }: Db,
  userId: string,
  entry: Omit<NewMemory, 'source'>,
): Promise<{ id: string; text: string } | null> {
  try {
    return await query.transaction(async (tx) => {
      await nextHint(tx, userId, 'settings');
      return addMemory(tx, userId, { ...entry, source: 'model' }, isTrusting);
    });
  } catch (error) {
    if (error instanceof Refusal && error.reason.type === 'memory_off') return null;
    throw error;
  }
}

/** Deletes what a model forgets by itself; false, with nothing deleted, where it may not. */
export async function removeByModel({ query }: Db, userId: string, id: string): Promise<boolean> {
  return query.transaction(async (tx) => {
    await nextHint(tx, userId, 'settings');
    const isAllowed = sql`exists (select from ${users} where ${users.id} = ${userId}::uuid and ${isTrusting})`;
    const rows = await tx
      .delete(memories)
      .where(and(eq(memories.userId, userId), eq(memories.id, id), isAllowed))
      .returning({ id: memories.id });
    return rows.length > 0;
  });
}

export async function readMode({ query }: Pick<Db, 'query'>, userId: string): Promise<MemoryMode> {
  const [row] = await query.select({ mode }).from(users).where(eq(users.id, userId));
  return row?.mode ?? 'off';
}

/** Adds an entry of an archive, whatever the mode, unless it is here by one of these ids or its sentence is. */
export async function restoreMemory(
  { query }: Db,
  ids: readonly string[],
  row: typeof memories.$inferInsert,
): Promise<keyof Counts> {
  return query.transaction(async (tx) => {
    const { userId } = row;
    await nextHint(tx, userId, 'settings');
    const isOwn = eq(memories.userId, userId);
    if ((await tx.$count(memories, and(isOwn, isAmong(memories.id, ids)))) > 0) return 'present';
    if ((await tx.$count(memories, isOwn)) >= MEMORIES_MAX) return 'skipped';
    const added = await tx.insert(memories).values(row).onConflictDoNothing().returning({ id: memories.id });
    return added.length > 0 ? 'imported' : 'present';
  });
}

function isSame(userId: string, { text, scope }: Pick<NewMemory, 'text' | 'scope'>): SQL | undefined {
  return and(eq(memories.userId, userId), eq(memories.scope, scope), sql`lower(${memories.text}) = lower(${text})`);
}

/** Nothing happens when it is gone. */
export function removeMemory(db: Db, userId: string, id: string): Promise<{ count: number }> {
  return removeWhere(db, userId, eq(memories.id, id));
}

/** Deletes all of them, or those of some conversations. */
export function clearMemories(db: Db, userId: string, conversationIds?: readonly string[]): Promise<{ count: number }> {
  return removeWhere(db, userId, conversationIds && isAmong(memories.convoId, conversationIds));
}

async function removeWhere({ query }: Db, userId: string, which: SQL | undefined): Promise<{ count: number }> {
  return query.transaction(async (tx) => {
    await nextHint(tx, userId, 'settings');
    const rows = await tx
      .delete(memories)
      .where(and(eq(memories.userId, userId), which))
      .returning({ id: memories.id });
    return { count: rows.length };
  });
}

/** The entry of these scopes whose id begins so, as models name it; null where none does, or several do. */
export async function findByStart(
  { query }: Db,
  userId: string,
  start: string,
  scopes: readonly string[],
): Promise<MemoryRow | null> {
  const isShown = sql`${memories.scope} = any(${sql.param(scopes)}::text[])`;
  const rows = await query
    .select()
    .from(memories)
    .where(and(eq(memories.userId, userId), isShown, sql`starts_with(${memories.id}::text, ${start})`))
    .limit(2);
  const [row] = rows;
  return rows.length === 1 && row ? row : null;
}

function present(row: MemoryRow, from: { convoId: string; title: string | null } | null): Memory {
  const { id, scope, text, source, uses, usedAt, createdAt, updatedAt } = row;
  return {
    id,
    scope,
    text,
    source,
    from: from && { conversationId: from.convoId, title: from.title },
    uses,
    usedAt: usedAt && isoTime(usedAt),
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
  };
}
