// Stores imported conversations. Ids derive from the ids in the file, so importing a file again finds its rows; an id
// that this user already has is that row, so Parley's own export finds its originals.
import type { Db, Query, Tx } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { messages } from '@parley/db/tables/messages';
import { COLUMNS_MIN, type Column } from '@parley/schema/chat/columns';
import type { Fork } from '@parley/schema/convos/convos';
import { Id } from '@parley/schema/ids';
import type { ImportItem } from '@parley/schema/transfer/results';
import { and, eq, sql } from 'drizzle-orm';
import { nextChange } from '../convos/changes.ts';
import { derivedId } from '../platform/derived-id.ts';
import { createSlices } from '../platform/event-loop.ts';
import { isoTime } from '../platform/iso-time.ts';
import { createEntries, type Entries } from '../search/entries.ts';
import { removeEntries } from '../search/temporary.ts';
import type { Prepared } from './prepare.ts';
import { restoreFolders } from './restore-folders.ts';
import {
  insertMessages,
  missingMessages,
  relinkKnown,
  type MissingMessages,
  type NewRow,
  type SavePolicy,
} from './save-messages.ts';

/** Entries that are made before other work may run: about ten milliseconds. */
const ENTRIES_AT_ONCE = 200;

/** Stores conversations in one transaction and returns the outcome of each. The change feed is notified once. */
export async function saveConvos(
  db: Db,
  userId: string,
  items: readonly Prepared[],
  ids: SavePolicy = { keepsIds: false },
): Promise<ImportItem[]> {
  const entries = ids.mirrorsDatabase ? await prepareEntries(db, userId, items) : null;
  return db.query.transaction(async (tx) => {
    const last = await nextChange(tx, userId, items.length);
    const own = items.map((item) => idsOf(userId, item));
    const known = await findConvos(tx, userId, own.flat());
    const folderIds = await restoreFolders(tx, userId, items);
    const forkedFrom = await findSources(tx, userId, items);
    const saved: ImportItem[] = [];
    const added = createAdded(tx, userId, entries);
    for (const [at, item] of items.entries()) {
      const [kept, made] = own[at] ?? idsOf(userId, item);
      const changeSeq = last - items.length + at + 1;
      const row = known.get(kept) ?? known.get(made);
      if (row) {
        // The same conversation may stand in the file twice.
        await added.write();
        saved.push(await extendConvo(tx, row, item, { userId, ids, changeSeq, entries }));
        continue;
      }
      const id = ids.keepsIds ? kept : made;
      const { rows, ...linked } = await linkedRows(tx, { userId, convoId: id }, item, { ids, forkedFrom });
      const folderId = folderIds.get(item.convo.folder?.id);
      added.add({ ...newRow(userId, id, item, changeSeq), origin: originOf(ids), ...linked, folderId }, rows);
      known.set(id, { id, isDeleted: false });
      saved.push(outcomeOf(item, 'imported', id, rows.length));
    }
    await added.write();
    return saved;
  });
}

/** The messages of a new conversation, and its columns that name messages. */
async function linkedRows(
  tx: Tx,
  target: { userId: string; convoId: string },
  item: Prepared,
  { ids, forkedFrom }: { ids: SavePolicy; forkedFrom: (fork: Fork | undefined) => Fork | null },
) {
  const { forkedFrom: source, columns } = item.convo;
  const elsewhere = (messageId: string) => forkedFrom(source && { ...source, messageId })?.messageId;
  const { rows, idOf } = await missingMessages(tx, target, item, { ...ids, isNew: true, elsewhere });
  return { rows, columns: columnsHere(columns, idOf), forkedFrom: forkedFrom(source) };
}

/**
 * Makes the entries of conversations that are not here, before the transaction: it locks the user's row, for which the
 * person's asks and the next batch wait.
 */
async function prepareEntries(db: Db, userId: string, items: readonly Prepared[]): Promise<Entries> {
  const entries = createEntries(userId);
  const slices = createSlices(ENTRIES_AT_ONCE);
  const known = await findConvos(
    db.query,
    userId,
    items.flatMap((item) => idsOf(userId, item)),
  );
  for (const item of items) {
    if (idsOf(userId, item).some((id) => known.has(id))) continue;
    for (const { message } of item.messages) {
      entries.prepare(message);
      await slices.spend();
    }
  }
  return entries;
}

/** New conversations and their messages, written in few statements. */
function createAdded(tx: Tx, userId: string, entries: Entries | null) {
  let rows: (typeof convos.$inferInsert)[] = [];
  let messages: NewRow[] = [];
  return {
    add(row: typeof convos.$inferInsert, own: readonly NewRow[]): void {
      rows.push(row);
      for (const message of own) messages.push(message);
    },
    async write(): Promise<void> {
      if (rows.length > 0) await tx.insert(convos).values(rows);
      await insertMessages(tx, userId, messages, entries);
      for (const { id, temporaryUntil } of rows) if (temporaryUntil && id) await removeEntries(tx, userId, id);
      rows = [];
      messages = [];
    },
  };
}

interface KnownConvo {
  id: string;
  isDeleted: boolean;
}

async function extendConvo(
  tx: Tx,
  { id, isDeleted }: KnownConvo,
  item: Prepared,
  { userId, ids, changeSeq, entries }: { userId: string; ids: SavePolicy; changeSeq: number; entries: Entries | null },
): Promise<ImportItem> {
  const { index } = item;
  const { title } = item.convo;
  if (isDeleted) return { index, title, outcome: 'skipped', reason: 'in_bin' };
  const { rows: missing } = await missingMessages(tx, { userId, convoId: id }, item, { ...ids, isNew: false });
  const isRelinked = ids.kept !== undefined && (await relinkKnown(tx, { userId, convoId: id }, item, ids.kept));
  if (missing.length === 0 && !isRelinked) return { index, title, outcome: 'present', conversationId: id };
  await touchConvo(tx, userId, id, item, { changeSeq, origin: originOf(ids) });
  if (missing.length === 0) return { index, title, outcome: 'present', conversationId: id };
  await insertMessages(tx, userId, missing, entries);
  return outcomeOf(item, 'extended', id, missing.length);
}

function outcomeOf(
  { index, convo: { title, leftOut }, dropped }: Prepared,
  outcome: 'imported' | 'extended',
  conversationId: string,
  messages: number,
): ImportItem {
  return { index, title, outcome, conversationId, messages, dropped, ...(leftOut && { leftOut }) };
}

/** Replies side by side by their ids here; null where fewer than two of them came along. */
function columnsHere(columns: Column[] | undefined, idOf: MissingMessages['idOf']): Column[] | null {
  const here = (columns ?? []).flatMap((column) => {
    const replyId = idOf(column.replyId);
    return replyId === undefined ? [] : [{ ...column, replyId }];
  });
  return here.length < COLUMNS_MIN ? null : here;
}

/**
 * Finds what conversations were forked from, by its ids here: a conversation that was here before keeps its ids, and an
 * imported one has those that derive from the file, also if it comes later in it.
 */
async function findSources(tx: Tx, userId: string, items: readonly Prepared[]) {
  const forks = items.flatMap(({ convo: { forkedFrom } }) => forkedFrom ?? []);
  const own = (ids: string[]) => ids.flatMap((id) => Id.safeParse(id).data ?? []);
  const convoIds = own(forks.map(({ conversationId }) => conversationId));
  const messageIds = own(forks.map(({ messageId }) => messageId));
  const here =
    convoIds.length === 0
      ? []
      : await tx
          .select({ convoId: messages.convoId, id: messages.id })
          .from(messages)
          .where(
            and(
              eq(messages.userId, userId),
              sql`${messages.convoId} = any(${sql.param(convoIds)}::uuid[])`,
              sql`${messages.id} = any(${sql.param(messageIds)}::uuid[])`,
            ),
          );
  const known = new Set(here.map(({ convoId, id }) => `${convoId} ${id}`));
  return (fork: Fork | undefined): Fork | null => {
    if (!fork || known.has(`${fork.conversationId} ${fork.messageId}`)) return fork ?? null;
    const { conversationId, messageId } = fork;
    return {
      conversationId: derivedId('import', userId, conversationId),
      messageId: derivedId('import', userId, conversationId, messageId),
    };
  };
}

/** The id that the conversation would keep, and the one that is made of it. */
function idsOf(userId: string, { convo }: Prepared): [kept: string, made: string] {
  const made = derivedId('import', userId, convo.id);
  return [Id.safeParse(convo.id).data ?? made, made];
}

async function findConvos(
  tx: Pick<Query, 'select'>,
  userId: string,
  ids: readonly string[],
): Promise<Map<string, KnownConvo>> {
  const rows = await tx
    .select({ id: convos.id, isDeleted: sql<boolean>`${convos.deletedAt} is not null` })
    .from(convos)
    .where(and(eq(convos.userId, userId), sql`${convos.id} = any(${sql.param(ids)}::uuid[])`));
  return new Map(rows.map((row) => [row.id, row]));
}

function newRow(userId: string, id: string, item: Prepared, changeSeq: number): typeof convos.$inferInsert {
  const { title, endpoint, endpointType, model, settings, isArchived, isPinned = false, others } = item.convo;
  return {
    titledBy: title === null ? null : 'user',
    ...others,
    userId,
    id,
    title,
    endpoint,
    endpointType,
    model,
    settings,
    isArchived,
    isPinned,
    temporaryUntil: item.convo.temporaryUntil === undefined ? null : isoTime(item.convo.temporaryUntil),
    changeSeq,
    messagesSeq: changeSeq,
    createdAt: isoTime(item.createdAt),
    updatedAt: isoTime(item.updatedAt),
    arrivedAt: new Date().toISOString(),
  };
}

/** Whose words came with it, for code that asks whether they are the person's. */
function originOf({ origin }: SavePolicy): 'import' | 'share' {
  return origin ?? 'import';
}

async function touchConvo(
  tx: Tx,
  userId: string,
  id: string,
  item: Prepared,
  { changeSeq, origin: given }: { changeSeq: number; origin: 'import' | 'share' },
): Promise<void> {
  const updatedAt = sql`greatest(${convos.updatedAt}, ${isoTime(item.updatedAt)}::timestamptz)`;
  const origin = sql`coalesce(${convos.origin}, ${given})`;
  await tx
    .update(convos)
    .set({ changeSeq, messagesSeq: changeSeq, updatedAt, arrivedAt: sql`now()`, origin })
    .where(and(eq(convos.userId, userId), eq(convos.id, id)));
}
