// What an export of everything holds beside conversations and files, a row at a time, by the columns that travel.
import type { Db } from '@parley/db/client';
import { actions, assistants } from '@parley/db/tables/assistants';
import { convos, memories } from '@parley/db/tables/convos';
import { drafts, queuedAsks } from '@parley/db/tables/drafts';
import { files, fileSets, fileUses } from '@parley/db/tables/files';
import { folders } from '@parley/db/tables/folders';
import { schedules } from '@parley/db/tables/automation/schedules';
import { users } from '@parley/db/tables/users';
import { exportedRow } from '@parley/db/travelling';
import { NEW_CHAT } from '@parley/schema/chat/drafts';
import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { eachAssistant } from '../../assistants/assistants.ts';
import { withoutActions } from '../../assistants/chosen-tools.ts';
import { isChosen } from '../../auth/avatar-choice.ts';
import { isFileOfUse } from '../../files/attach-files.ts';
import { listSets } from '../../files/library/sets.ts';
import { filePath, type FileRow } from '../../files/present.ts';
import { presetRows } from '../../presets/presets.ts';

interface From {
  db: Db;
}

/** The conversations that are exported. */
export function exported(userId: string) {
  return and(eq(convos.userId, userId), isNull(convos.deletedAt), isNull(convos.temporaryUntil));
}

/** In the order of the menu. */
export async function presetLines({ db }: From, userId: string) {
  const rows = await presetRows(db, userId);
  return rows.map((row) => ({ presetId: row.id, ...exportedRow('presets', row) }));
}

export async function folderLines({ db: { query } }: Pick<From, 'db'>, userId: string) {
  const rows = await query
    .select()
    .from(folders)
    .where(eq(folders.userId, userId))
    .orderBy(asc(folders.position), asc(folders.id));
  const uses = await query
    .select({ folderId: fileUses.ref, fileId: fileUses.fileId })
    .from(fileUses)
    .innerJoin(files, isFileOfUse())
    .where(and(eq(fileUses.userId, userId), eq(fileUses.kind, 'folder')))
    .orderBy(asc(files.createdAt), asc(files.id));
  const fileIdsOf = (id: string) => uses.flatMap(({ folderId, fileId }) => (folderId === id ? [fileId] : []));
  return rows.map((row) => ({ ...exportedRow('folders', row), fileIds: fileIdsOf(row.id) }));
}

/** With their actions. Their pictures have a list of their own, since their addresses are those of this server. */
export async function* assistantLines({ db }: From, userId: string): AsyncGenerator<object> {
  for await (const { row, fileIds } of eachAssistant(db, userId)) {
    const { avatar: _avatar, avatar_source: _source, ...metadata } = row.metadata;
    const tools = withoutActions(row.tools);
    const own = await db.query
      .select()
      .from(actions)
      .where(and(eq(actions.userId, userId), eq(actions.assistantId, row.id)))
      .orderBy(asc(actions.createdAt), asc(actions.id));
    const kept = own.map((action) => {
      // Versions before this one had the document in the settings.
      const { rawSpec, ...settings } = action.settings;
      return exportedRow('actions', { ...action, settings, document: rawSpec ?? action.document });
    });
    yield { assistantId: row.id, ...exportedRow('assistants', row), tools, metadata, fileIds, actions: kept };
  }
}

/** A picture that is shown: of the account where `assistantId` is null. */
export interface Avatar {
  file: FileRow;
  assistantId: string | null;
  /** Whether the person chose it; else another site brought it. */
  isChosen: boolean;
}

export async function avatarsOf({ db: { query } }: From, userId: string): Promise<Avatar[]> {
  const [user] = await query.select({ avatar: users.avatar }).from(users).where(eq(users.id, userId));
  const rows = await query
    .select({ file: files, assistantId: assistants.id })
    .from(fileUses)
    .innerJoin(files, and(eq(files.userId, fileUses.userId), eq(files.id, fileUses.fileId)))
    .leftJoin(
      assistants,
      and(eq(assistants.userId, fileUses.userId), eq(assistants.id, fileUses.ref), isNull(assistants.deletedAt)),
    )
    .where(and(eq(fileUses.userId, userId), eq(fileUses.kind, 'avatar'), eq(files.context, 'avatar')))
    .orderBy(asc(files.id), asc(fileUses.ref));
  const ofAccount = user?.avatar ?? '';
  // What is used by neither is that of an assistant in the trash, or was replaced.
  const isShown = ({ file, assistantId }: (typeof rows)[number]) =>
    assistantId !== null || ofAccount.split('?', 1)[0] === filePath(file);
  return rows.filter(isShown).map((row) => ({ ...row, isChosen: row.assistantId !== null || isChosen(ofAccount) }));
}

export async function* draftLines({ db: { query } }: From, userId: string): AsyncGenerator<object> {
  const rows = await query
    .select()
    .from(drafts)
    .where(and(eq(drafts.userId, userId), sql`(${drafts.text} <> '' or ${drafts.files} <> '[]')`, ofExported(userId)));
  for (const row of rows) yield exportedRow('drafts', row);
}

function ofExported(userId: string) {
  const ids = sql`select id::text from ${convos} where ${exported(userId)}`;
  return sql`(${drafts.key} = ${NEW_CHAT} or ${drafts.key} in (${ids}))`;
}

export async function* queueLines({ db: { query } }: From, userId: string): AsyncGenerator<object> {
  const ids = sql`select id from ${convos} where ${exported(userId)}`;
  const rows = await query
    .select()
    .from(queuedAsks)
    .where(and(eq(queuedAsks.userId, userId), sql`${queuedAsks.convoId} in (${ids})`))
    .orderBy(asc(queuedAsks.position));
  for (const row of rows) yield exportedRow('queuedAsks', row);
}

export async function* scheduleLines({ db: { query } }: From, userId: string): AsyncGenerator<object> {
  const rows = await query
    .select()
    .from(schedules)
    .where(eq(schedules.userId, userId))
    .orderBy(asc(schedules.createdAt), asc(schedules.id));
  for (const row of rows) yield exportedRow('schedules', row);
}

export async function* memoryLines({ db: { query } }: From, userId: string): AsyncGenerator<object> {
  const rows = await query
    .select()
    .from(memories)
    .where(eq(memories.userId, userId))
    .orderBy(asc(memories.createdAt), asc(memories.id));
  for (const row of rows) yield exportedRow('memories', row);
}

export async function* setLines({ db }: From, userId: string): AsyncGenerator<object> {
  const rows = await db.query.select().from(fileSets).where(eq(fileSets.userId, userId)).orderBy(asc(fileSets.id));
  const sets = new Map((await listSets(db, userId)).map(({ id, fileIds }) => [id, fileIds]));
  for (const row of rows) yield { ...exportedRow('fileSets', row), fileIds: sets.get(row.id) ?? [] };
}

export async function* lines(items: AsyncIterable<object>): AsyncGenerator<string> {
  let isFirst = true;
  for await (const item of items) {
    yield `${isFirst ? '' : ',\n'}${JSON.stringify(item)}`;
    isFirst = false;
  }
}
