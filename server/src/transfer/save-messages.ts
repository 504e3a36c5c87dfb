// Stores the messages of imported conversations.
import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '@parley/db/client';
import { messages } from '@parley/db/tables/messages';
import { unsaid } from '@parley/db/travelling';
import { typedKeys } from '@parley/schema/entries';
import { Id } from '@parley/schema/ids';
import { messageAttachments, messageToolFiles, type MessagePart } from '@parley/schema/messages/messages';
import { and, eq, isNull, sql, type SQL } from 'drizzle-orm';
import { noteUses } from '../files/note-uses.ts';
import { derivedId } from '../platform/derived-id.ts';
import { createSlices } from '../platform/event-loop.ts';
import { isoTime } from '../platform/iso-time.ts';
import { withoutTriggers, writeEntries } from '../search/bulk-index.ts';
import type { Entries } from '../search/entries.ts';
import type { TreeMessage } from './build-tree.ts';
import { relinkContext, relinkPart, type FindFile } from './stored-links.ts';
import type { Prepared } from './prepare.ts';
import { OTHERS_OF_MESSAGE as OTHERS } from './source.ts';

/** Whether ids that are UUIDs are kept: those of a whole installation are; a single file may be somebody else's. */
export interface IdPolicy {
  keepsIds: boolean;
}

export interface SavePolicy extends IdPolicy {
  /** Where the conversations come from, if they are not imported. */
  origin?: 'share';
  /** Finds the files that came with the conversations. */
  kept?: FindFile;
  /** Whether the server may make the search entries, which it does in a fraction of the time. */
  mirrorsDatabase?: boolean;
}

interface ImportTarget {
  userId: string;
  convoId: string;
}

/** The stored counterpart of a message in the file. */
interface Stored {
  id: string;
  depth: number;
  /** Deleted here, or below a deleted message: stays deleted. */
  isGone: boolean;
}

/** A row for `insertMessages`, with column names. */
export type NewRow = ReturnType<typeof rowOf>;

/** Maximum rows, and characters of JSON, per statement. */
const ROWS_MAX = 500;
const CHARACTERS_MAX = 1_000_000;
/** Entries that are made before other work may run: about ten milliseconds. */
const ENTRIES_AT_ONCE = 200;

export interface MissingMessages {
  rows: NewRow[];
  /** The id here of a message in the file; undefined for one that is not here. */
  idOf(sourceId: string): string | undefined;
}

/** The messages that the conversation lacks, parents first. Messages deleted here are not imported again. */
export async function missingMessages(
  tx: Tx,
  target: ImportTarget,
  item: Prepared,
  { elsewhere, ...policy }: IdPolicy & { isNew: boolean; elsewhere?: MissingMessages['idOf'] },
): Promise<MissingMessages> {
  const { rows, stored } = await placeMessages(tx, target, item, policy);
  const idOf = finder(item, stored);
  // The messages of a fork may name those that they are copies of.
  const oldestOf = (sourceId: string) => idOf(sourceId) ?? elsewhere?.(sourceId);
  return { rows: rows.map((row) => withOldest(row, oldestOf)), idOf };
}

async function placeMessages(
  tx: Tx,
  target: ImportTarget,
  item: Prepared,
  { keepsIds, isNew }: IdPolicy & { isNew: boolean },
): Promise<{ rows: NewRow[]; stored: Stored[] }> {
  const slices = createSlices(ROWS_MAX);
  const made: string[] = [];
  for (const { message } of item.messages) {
    const own = keepsIds ? Id.safeParse(message.id).data : undefined;
    made.push(own ?? derivedId('import', target.userId, item.convo.id, message.id));
    await slices.spend();
  }
  const known = isNew ? new Map<string, Stored>() : await findKnown(tx, target, item, made);
  const stored: Stored[] = [];
  const rows: NewRow[] = [];
  for (const [index, arranged] of item.messages.entries()) {
    await slices.spend();
    const id = made[index] ?? '';
    const there = known.get(arranged.message.id.toLowerCase()) ?? known.get(id);
    const parent = arranged.parent === null ? undefined : stored[arranged.parent];
    const one = there ?? { id, depth: parent ? parent.depth + 1 : 0, isGone: parent?.isGone ?? false };
    stored.push(one);
    if (!there && !one.isGone) rows.push(rowOf(target.convoId, arranged, one, parent?.id ?? null));
  }
  return { rows, stored };
}

/** Looks into the messages once somebody asks. */
function finder({ messages: all }: Prepared, stored: readonly Stored[]): MissingMessages['idOf'] {
  let ids: Map<string, string> | null = null;
  return (sourceId) => {
    ids ??= new Map(stored.flatMap(({ id, isGone }, at) => (isGone ? [] : [[all[at]?.message.id ?? '', id]])));
    return ids.get(sourceId);
  };
}

/** Names the oldest message that a model was shown by its id here. */
function withOldest(row: NewRow, idOf: MissingMessages['idOf']): NewRow {
  if (row.context?.oldestId === undefined) return row;
  const { oldestId, ...context } = row.context;
  const own = idOf(oldestId);
  return { ...row, context: own === undefined ? context : { ...context, oldestId: own } };
}

/**
 * Gives messages that are here already the files that they show or cite, where an earlier import had only their names.
 * Returns whether any has changed.
 */
export async function relinkKnown(tx: Tx, target: ImportTarget, item: Prepared, kept: FindFile): Promise<boolean> {
  const { userId, convoId } = target;
  const naming = item.messages.flatMap(({ message }) => (message.parts.some(namesFiles) ? [message.id] : []));
  if (naming.length === 0) return false;
  const ids = naming.flatMap((id) =>
    [Id.safeParse(id).data ?? [], derivedId('import', userId, item.convo.id, id)].flat(),
  );
  const isOne = sql`${messages.id} = any(${sql.param(ids)}::uuid[])`;
  const ofConvo = and(eq(messages.userId, userId), eq(messages.convoId, convoId), isNull(messages.deletedAt), isOne);
  const rows = await tx
    .select({ id: messages.id, parts: messages.parts, context: messages.context })
    .from(messages)
    .where(ofConvo)
    .for('update');
  const relinked = rows.flatMap(({ id, ...before }) => {
    const { parts, context } = before;
    const after = {
      parts: parts.map((part) => relinkPart(part, kept)),
      context: context && relinkContext(context, { file: kept }),
    };
    return isDeepStrictEqual(before, after) ? [] : [{ id, ...after }];
  });
  for (const { id, ...after } of relinked)
    await tx
      .update(messages)
      .set(after)
      .where(and(eq(messages.userId, userId), eq(messages.id, id)));
  await noteUses(tx, userId, relinked);
  return relinked.length > 0;
}

function namesFiles(part: MessagePart): boolean {
  return (
    messageAttachments({ parts: [part] }).length > 0 ||
    messageToolFiles({ parts: [part] }).length > 0 ||
    'citations' in part
  );
}

async function findKnown(tx: Tx, target: ImportTarget, item: Prepared, made: string[]): Promise<Map<string, Stored>> {
  const own = item.messages.flatMap(({ message }) => Id.safeParse(message.id).data ?? []);
  const rows = await tx
    .select({
      id: messages.id,
      depth: messages.depth,
      isGone: sql<boolean>`${messages.deletedAt} is not null`,
    })
    .from(messages)
    .where(
      and(
        eq(messages.userId, target.userId),
        eq(messages.convoId, target.convoId),
        sql`${messages.id} = any(${sql.param([...own, ...made])}::uuid[])`,
      ),
    );
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Inserts rows in order, which is the order of their numbers, with their search entries, which the database makes unless
 * `entries` does, and their uses of files.
 */
export async function insertMessages(
  tx: Tx,
  userId: string,
  rows: readonly NewRow[],
  entries: Entries | null,
): Promise<void> {
  if (rows.length === 0) return;
  await withoutTriggers(tx, async () => {
    let sent = Promise.resolve();
    for await (const statement of inStatements(rows, entries)) {
      await sent;
      // The database works on it while the next is made, whose turn throws a failure of this one.
      sent = insertSome(tx, userId, statement);
      sent.catch(() => undefined);
    }
    await sent;
  });
  await entries?.writeWords(tx);
  await noteUses(tx, userId, rows);
}

interface Statement {
  rows: NewRow[];
  /** The parts of each row as JSON. */
  parts: string[];
  /** The entries that the server made. */
  found: { id: string; words: string; body: string }[];
  /** Those whose entries the database makes. */
  bare: string[];
}

/** The columns that are sent as arrays of their type, which cost the database less than JSON. */
const COLUMNS = {
  convo_id: 'uuid',
  id: 'uuid',
  parent_id: 'uuid',
  depth: 'int',
  is_created_by_user: 'boolean',
  sender: 'text',
  endpoint: 'text',
  endpoint_type: 'text',
  model: 'text',
  finish_reason: 'text',
  unfinished: 'boolean',
  is_edited: 'boolean',
  token_count: 'int',
  rating: 'smallint',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
} as const satisfies Partial<Record<keyof NewRow, string>>;
const COLUMN_NAMES = typedKeys(COLUMNS);

const NAMES = sql.raw([...COLUMN_NAMES, ...OTHERS.map(({ name }) => name)].join(', '));

/** Stands between texts that never contain it, so that the database need not look for quotes: JSON, folded texts, numbers. */
const SEPARATOR = '\u001e';

async function insertSome(tx: Tx, userId: string, { rows, parts, found, bare }: Statement): Promise<void> {
  const columns = COLUMN_NAMES.map((name) =>
    arrayOf(
      rows.map((row) => row[name]),
      COLUMNS[name],
    ),
  );
  const others = OTHERS.map(({ key, type }) =>
    arrayOf(
      rows.map(({ others: own }) => own?.[key] ?? unsaid('messages', key)),
      type,
    ),
  );
  const jsons = [rows.map((row) => row.usage), rows.map((row) => row.context), rows.map((row) => row.reason)];
  await tx.execute(sql`
    with inserted as (
      insert into messages (user_id, ${NAMES}, usage, context, reason, parts)
      select ${userId}, ${NAMES}, usage::jsonb, context::jsonb, reason::jsonb, parts::jsonb
      from unnest(${sql.join([...columns, ...others, ...jsons.map(jsonsOf)], sql`, `)}, ${listOf(parts)})
        with ordinality as given (${NAMES}, usage, context, reason, parts, place)
      order by place
      returning id, convo_id, created_at, seq
    )
    insert into search_entries (user_id, is_title, id, convo_id, written_at, seq, words, body)
    select ${userId}, false, id, convo_id, search_time(created_at), seq, words::int[], body
    from unnest(${arrayOf(
      found.map(({ id }) => id),
      'uuid',
    )}, ${listOf(found.map(({ words }) => words))}, ${listOf(found.map(({ body }) => body))}) as entry (id, words, body)
      join inserted using (id)`);
  if (bare.length > 0) await writeEntries(tx, userId, bare);
}

/** Only texts need quotes, which the driver sets. It would take a list of booleans for one. */
function arrayOf(values: unknown[], type: string): SQL {
  const given = type === 'text' ? sql.param(values) : `{${values.map((value) => value ?? 'null').join(',')}}`;
  return sql`${given}::${sql.raw(type)}[]`;
}

function jsonsOf(values: unknown[]): SQL {
  return arrayOf(
    values.map((value) => (value === null ? null : JSON.stringify(value))),
    'text',
  );
}

function listOf(texts: string[]): SQL {
  return sql`string_to_array(${texts.join(SEPARATOR)}, E'\\x1e')`;
}

async function* inStatements(rows: readonly NewRow[], entries: Entries | null): AsyncGenerator<Statement, void> {
  const slices = createSlices(ENTRIES_AT_ONCE);
  let statement: Statement = { rows: [], parts: [], found: [], bare: [] };
  let length = 0;
  for (const row of rows) {
    const entry = entries?.of(row);
    const parts = JSON.stringify(row.parts);
    const size = parts.length + (entry?.body?.length ?? 0) + (entry?.words?.length ?? 0);
    if (statement.rows.length >= ROWS_MAX || (length > 0 && length + size > CHARACTERS_MAX)) {
      yield statement;
      statement = { rows: [], parts: [], found: [], bare: [] };
      length = 0;
    }
    statement.rows.push(row);
    statement.parts.push(parts);
    if (!entry) statement.bare.push(row.id);
    else if (entry.words !== null && entry.body !== null)
      statement.found.push({ id: row.id, words: entry.words, body: entry.body });
    length += size;
    await slices.spend();
  }
  if (statement.rows.length > 0) yield statement;
}

function rowOf(
  convoId: string,
  { message, createdAt, updatedAt }: TreeMessage,
  { id, depth }: Stored,
  parentId: string | null,
) {
  return {
    convo_id: convoId,
    id,
    parent_id: parentId,
    depth,
    is_created_by_user: message.isCreatedByUser,
    sender: message.sender,
    endpoint: message.endpoint,
    endpoint_type: message.endpointType,
    model: message.model,
    parts: message.parts,
    finish_reason: message.finishReason,
    reason: message.reason,
    unfinished: message.unfinished,
    is_edited: message.isEdited,
    usage: message.usage,
    context: message.context,
    token_count: message.tokenCount ?? null,
    rating: message.rating ?? null,
    created_at: isoTime(createdAt),
    updated_at: isoTime(updatedAt),
    others: message.others,
  };
}
