// Assistants: a model with instructions, tools and files, saved under a name. Rows of one user; any other id is
// missing.
import { randomInt } from 'node:crypto';
import type { Db, Query, Tx } from '@parley/db/client';
import { assistants } from '@parley/db/tables/assistants';
import {
  ASSISTANT_FILES_MAX,
  ASSISTANTS_MAX,
  type AssistantPage,
  type CreateAssistant,
  type UpdateAssistant,
} from '@parley/schema/assistants/assistant-inputs';
import type { Assistant, AssistantTool, FileSource } from '@parley/schema/assistants/assistants';
import { withoutUndefined } from '@parley/schema/entries';
import { and, asc, desc, eq, isNull, sql, type SQL } from 'drizzle-orm';
import { nextChange } from '../convos/changes.ts';
import { refuse } from '../platform/errors.ts';
import { readFileIds, setAssistantFiles } from './assistant-files.ts';
import type { AssistantRules } from './rules.ts';
import { presentAssistant, type AssistantRow } from './present.ts';

/** One may have megabytes of tools. */
const READ_AT_ONCE = 10;

export interface AssistantsPage {
  assistants: Assistant[];
  hasMore: boolean;
}

/** A page by the time of creation; `after` and `before` name an assistant in that order. @throws Refusal `not_found` */
export async function listAssistants(
  { query }: Db,
  userId: string,
  { order, limit, after, before }: AssistantPage,
  rules: AssistantRules,
): Promise<AssistantsPage> {
  for (const id of [after, before]) if (id) await assertAssistant(query, userId, id);
  // Before an assistant means the nearest ones before it: read backwards.
  const isBackwards = !after && Boolean(before);
  const isRising = (order === 'asc') !== isBackwards;
  const direction = isRising ? asc : desc;
  const rows = await query
    .select()
    .from(assistants)
    .where(
      and(
        ofUser(userId),
        isOffered(rules),
        after ? isBeyond(userId, after, order === 'asc') : undefined,
        before ? isBeyond(userId, before, order !== 'asc') : undefined,
      ),
    )
    .orderBy(direction(assistants.createdAt), direction(assistants.id))
    .limit(limit + 1);
  const page = rows.slice(0, limit);
  const inOrder = isBackwards ? page.toReversed() : page;
  return { assistants: await withFiles(query, userId, inOrder), hasMore: rows.length > limit };
}

/** @throws Refusal `not_found` */
export async function readAssistant(query: Query, userId: string, id: string): Promise<Assistant> {
  return withFileIds(query, await assertAssistant(query, userId, id));
}

/** Another user's is missing. @throws Refusal `not_found` */
export async function assertAssistant(query: Query | Tx, userId: string, id: string): Promise<AssistantRow> {
  const [row] = await query.select().from(assistants).where(ownedBy(userId, id));
  return row ?? refuse({ type: 'not_found', what: 'assistant' });
}

/** `tools` are the ones of the input, with definitions in place of names. */
export type NewAssistant = Omit<CreateAssistant, 'tools'> & { tools: AssistantTool[] };
export type ChangedAssistant = Omit<UpdateAssistant, 'tools'> & { tools?: AssistantTool[] | undefined };

/**
 * `others` are columns that no client gives.
 * @throws Refusal `not_found` for a missing file, `conflict` when there are too many assistants
 */
export function createAssistant(
  { query }: Db,
  userId: string,
  input: NewAssistant,
  id = `asst_${Array.from({ length: ID_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')}`,
  others: Partial<AssistantRow> = {},
): Promise<Assistant> {
  const { fileIds = [], metadata, model, ...values } = input;
  return query.transaction(async (tx) => {
    // Also serialises the saves of a user, so that none passes the limit.
    const changeSeq = await nextChange(tx, userId);
    await assertRoom(tx, userId);
    const [row] = await tx
      .insert(assistants)
      .values({
        ...others,
        ...withoutUndefined(values),
        model,
        userId,
        id,
        changeSeq,
        metadata: withoutUndefined(metadata ?? {}),
      })
      .returning();
    await setAssistantFiles(tx, userId, id, fileIds);
    return row ? withFileIds(tx, row) : refuse({ type: 'unavailable' });
  });
}

/** Absent fields stay as they are. The avatar stays in any case. @throws Refusal `not_found` */
export function updateAssistant({ query }: Db, userId: string, input: ChangedAssistant): Promise<Assistant> {
  const { assistantId, fileIds, metadata, ...values } = input;
  return query.transaction(async (tx) => {
    const changeSeq = await nextChange(tx, userId);
    const before = await assertAssistant(tx, userId, assistantId);
    const { avatar, avatar_source } = before.metadata;
    const saved = { ...(avatar !== undefined && { avatar }), ...(avatar_source !== undefined && { avatar_source }) };
    const [row] = await tx
      .update(assistants)
      .set({
        ...withoutUndefined(values),
        ...(metadata !== undefined && { metadata: { ...withoutUndefined(metadata ?? {}), ...saved } }),
        changeSeq,
        updatedAt: sql`now()`,
      })
      .where(ownedBy(userId, assistantId))
      .returning();
    if (fileIds) await setAssistantFiles(tx, userId, assistantId, fileIds);
    return row ? withFileIds(tx, row) : refuse({ type: 'not_found', what: 'assistant' });
  });
}

/** Gives the assistant one more file; false when there is no such assistant, or no room in it. */
export function addAssistantFile({ query }: Db, userId: string, id: string, fileId: string): Promise<boolean> {
  return query.transaction(async (tx) => {
    const changeSeq = await nextChange(tx, userId);
    const fileIds = (await readFileIds(tx, userId, [id])).get(id) ?? [];
    if (fileIds.length >= ASSISTANT_FILES_MAX) return false;
    const set = { changeSeq, updatedAt: sql`now()` };
    const known = await tx.update(assistants).set(set).where(ownedBy(userId, id)).returning({ id: assistants.id });
    if (known.length === 0) return false;
    await setAssistantFiles(tx, userId, id, [...fileIds, fileId]);
    return true;
  });
}

/** Gives an assistant that has none these projects and sets, of an archive. */
export async function addSources(
  { query }: Db,
  userId: string,
  id: string,
  sources: readonly FileSource[],
): Promise<void> {
  if (sources.length === 0) return;
  await query.transaction(async (tx) => {
    const changeSeq = await nextChange(tx, userId);
    await tx
      .update(assistants)
      .set({ sources: [...sources], changeSeq })
      .where(and(ownedBy(userId, id), sql`${assistants.sources} = '[]'`));
  });
}

/** One that is not deleted. */
export function ownedBy(userId: string, id: string) {
  return and(ofUser(userId), eq(assistants.id, id));
}

function ofUser(userId: string) {
  return and(eq(assistants.userId, userId), isNull(assistants.deletedAt));
}

/** Those that the operator lists; else all but those that are left out. */
export function isOffered({ supportedIds, excludedIds }: AssistantRules): SQL | undefined {
  if (supportedIds) return sql`${assistants.id} = any(${sql.param([...supportedIds])}::text[])`;
  if (excludedIds) return sql`not ${assistants.id} = any(${sql.param([...excludedIds])}::text[])`;
  return undefined;
}

function isBeyond(userId: string, id: string, isLater: boolean): SQL {
  const place = sql`(select created_at, id from ${assistants} where user_id = ${userId} and id = ${id})`;
  return isLater
    ? sql`(${assistants.createdAt}, ${assistants.id}) > ${place}`
    : sql`(${assistants.createdAt}, ${assistants.id}) < ${place}`;
}

async function withFiles(query: Query | Tx, userId: string, rows: readonly AssistantRow[]): Promise<Assistant[]> {
  const ids = rows.map(({ id }) => id);
  const fileIds = await readFileIds(query, userId, ids);
  return rows.map((row) => presentAssistant(row, fileIds.get(row.id) ?? []));
}

export async function withFileIds(query: Query | Tx, row: AssistantRow): Promise<Assistant> {
  const [assistant] = await withFiles(query, row.userId, [row]);
  return assistant ?? presentAssistant(row, []);
}

/** Each of the user's own, the oldest first, with the ids of its files. */
export async function* eachAssistant(
  { query }: Db,
  userId: string,
): AsyncGenerator<{ row: AssistantRow; fileIds: string[] }> {
  let after: AssistantRow | undefined;
  do {
    const rows: AssistantRow[] = await query
      .select()
      .from(assistants)
      .where(and(ofUser(userId), after && isBeyond(userId, after.id, true)))
      .orderBy(asc(assistants.createdAt), asc(assistants.id))
      .limit(READ_AT_ONCE);
    const fileIds = await readFileIds(
      query,
      userId,
      rows.map(({ id }) => id),
    );
    for (const row of rows) yield { row, fileIds: fileIds.get(row.id) ?? [] };
    after = rows.length < READ_AT_ONCE ? undefined : rows.at(-1);
  } while (after);
}

async function assertRoom(tx: Tx, userId: string): Promise<void> {
  const [all] = await tx
    .select({ count: sql<number>`count(*)::int` })
    .from(assistants)
    .where(ofUser(userId));
  if (all && all.count >= ASSISTANTS_MAX)
    refuse({ type: 'conflict', text: 'There is no room for another assistant. Please delete some first.' });
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const ID_LENGTH = 24;
