// Sets of files: their files are rows of `file_uses`, so that a deleted file leaves every set that had it.
import type { Db, Tx } from '@parley/db/client';
import { files, fileSets, fileUses } from '@parley/db/tables/files';
import { folders } from '@parley/db/tables/folders';
import { FILE_SETS_MAX, type FileSet, type SaveFileSet } from '@parley/schema/files/file-sets';
import type { Counts } from '@parley/schema/transfer/results';
import { and, asc, count, eq, sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { nextHint, nextHints } from '../../convos/changes.ts';
import { isAmong } from '../../convos/rows.ts';
import { refuse } from '../../platform/errors.ts';
import { addUses, endUses, isFileOfUse } from '../attach-files.ts';

/** All sets, by name. */
export async function listSets({ query }: Pick<Db, 'query'>, userId: string, which?: SQL): Promise<FileSet[]> {
  const use = and(
    eq(fileUses.userId, fileSets.userId),
    eq(fileUses.kind, 'set'),
    eq(fileUses.ref, sql`${fileSets.id}::text`),
  );
  const fileIds = sql<string[]>`array_agg(${files.id} order by ${files.createdAt}, ${files.id})
    filter (where ${files.id} is not null)`;
  const rows = await query
    .select({ id: fileSets.id, name: fileSets.name, fileIds })
    .from(fileSets)
    .leftJoin(fileUses, use)
    .leftJoin(files, isFileOfUse())
    .where(and(eq(fileSets.userId, userId), which))
    .groupBy(fileSets.id, fileSets.name)
    .orderBy(asc(sql`lower(${fileSets.name})`), asc(fileSets.id));
  return rows.map((row) => ({ ...row, fileIds: row.fileIds ?? [] }));
}

/**
 * Adds a set, or changes the one with this id. Its files are then kept among those of their person, also when they
 * leave the set.
 * @throws Refusal `not_found` when a file is missing, another user's or an avatar; `invalid_input` above the limit
 */
export async function saveSet({ query }: Db, userId: string, { id, name, fileIds }: SaveFileSet): Promise<FileSet> {
  return query.transaction(async (tx) => {
    await hintOfSet(tx, userId, id);
    await tx
      .insert(fileSets)
      .values({ userId, id, name })
      .onConflictDoUpdate({ target: [fileSets.userId, fileSets.id], set: { name, updatedAt: sql`now()` } });
    const [counted] = await tx.select({ all: count() }).from(fileSets).where(eq(fileSets.userId, userId));
    if (counted && counted.all > FILE_SETS_MAX)
      refuse({ type: 'invalid_input', text: `At most ${FILE_SETS_MAX} sets can be kept` });
    await fillSet(tx, userId, id, fileIds);
    const [set] = await listSets({ query: tx }, userId, eq(fileSets.id, id));
    return set ?? refuse({ type: 'not_found', what: 'file' });
  });
}

async function fillSet(tx: Tx, userId: string, id: string, fileIds: readonly string[]): Promise<void> {
  await addUses(tx, userId, { kind: 'owner', ref: userId }, fileIds);
  await addUses(tx, userId, { kind: 'set', ref: id }, fileIds);
  await endUses(tx, userId, { kind: 'set', ref: id, except: fileIds });
}

/** Tells its person, and all who have added a folder that has the set. */
async function hintOfSet(tx: Tx, userId: string, id: string): Promise<void> {
  const link = alias(folders, 'link');
  const links = await tx
    .selectDistinct({ userId: link.userId })
    .from(folders)
    .innerJoin(link, and(eq(link.sourceOwnerId, folders.userId), eq(link.sourceId, folders.id)))
    .where(and(eq(folders.userId, userId), hasSet(id)));
  await nextHints(tx, [userId, ...links.map((one) => one.userId)], 'folders');
}

function hasSet(id: string): SQL {
  return sql`${id}::uuid = any(${folders.setIds})`;
}

/** Its files stay, and no folder has it any more. Nothing happens when it is gone. */
export async function removeSet({ query }: Db, userId: string, id: string): Promise<void> {
  await query.transaction(async (tx) => {
    await hintOfSet(tx, userId, id);
    await tx
      .update(folders)
      .set({ setIds: sql`array_remove(${folders.setIds}, ${id}::uuid)` })
      .where(and(eq(folders.userId, userId), hasSet(id)));
    await tx.delete(fileSets).where(and(eq(fileSets.userId, userId), eq(fileSets.id, id)));
    await endUses(tx, userId, { kind: 'set', ref: id });
  });
}

/** Adds a set of an archive, unless it is here by one of these ids. `fileIds` are those of files here. */
export async function restoreSet(
  { query }: Db,
  ids: readonly string[],
  { fileIds, ...row }: typeof fileSets.$inferInsert & { fileIds: readonly string[] },
): Promise<keyof Counts> {
  return query.transaction(async (tx) => {
    const { userId, id } = row;
    await nextHint(tx, userId, 'folders');
    const isOwn = eq(fileSets.userId, userId);
    if ((await tx.$count(fileSets, and(isOwn, isAmong(fileSets.id, ids)))) > 0) return 'present';
    if ((await tx.$count(fileSets, isOwn)) >= FILE_SETS_MAX) return 'skipped';
    await tx.insert(fileSets).values(row);
    await fillSet(tx, userId, id, fileIds);
    return 'imported';
  });
}
