// What an export of everything holds, read from the database in pages and from the stores in pieces.
import type { Db } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { files } from '@parley/db/tables/files';
import { messages } from '@parley/db/tables/messages';
import { exportedRow } from '@parley/db/travelling';
import { isFailure, messageText } from '@parley/schema/messages/messages';
import { NO_PARENT } from '@parley/schema/messages/no-parent';
import { and, asc, eq, gt, isNull, ne } from 'drizzle-orm';
import { presentUser, assertUser } from '../../auth/users.ts';
import type { ConvoRow } from '../../convos/present.ts';
import { isKept } from '../../files/attach-files.ts';
import { presentFile, type FileRow } from '../../files/present.ts';
import { openFile } from '../../files/read-file.ts';
import { presentMessage, type MessageRow } from '../../messages/present.ts';
import { exportedPrompts } from '../../prompts/restore-prompts.ts';
import { exportedSkills } from '../../skills/restore-skills.ts';
import { readSettings } from '../../settings/settings.ts';
import {
  assistantLines,
  avatarsOf,
  draftLines,
  exported,
  folderLines,
  lines,
  memoryLines,
  presetLines,
  queueLines,
  scheduleLines,
  setLines,
} from './belongings.ts';
import { LISTS } from './open-archive.ts';
import type { ZipEntry } from '../../platform/zip/write-zip.ts';
import type { FileStores } from '../../storage/file-store.ts';

type From = { db: Db; stores: FileStores };

const CONVOS_PAGE = 100;
/** One message may have megabytes. */
const MESSAGES_PAGE = 10;
const FILES_PAGE = 200;

/** Temporary conversations, keys and what is in the trash stay out. */
export async function* exportEntries(from: From, userId: string): AsyncGenerator<ZipEntry> {
  yield json('conversations.json', listOf(conversations(from, userId)));
  const account = presentUser(await assertUser(from.db, userId));
  yield json('account.json', once(account));
  yield json('settings.json', once(await readSettings(from.db, userId)));
  yield json('presets.json', once(await presetLines(from, userId)));
  yield json('folders.json', once(await folderLines(from, userId)));
  yield json(LISTS.assistants, listOf(lines(assistantLines(from, userId))));
  yield json(LISTS.prompts, listOf(lines(exportedPrompts(from.db, userId))));
  yield json(LISTS.skills, listOf(lines(exportedSkills(from.db, userId))));
  yield json(LISTS.drafts, listOf(lines(draftLines(from, userId))));
  yield json(LISTS.queue, listOf(lines(queueLines(from, userId))));
  yield json(LISTS.schedules, listOf(lines(scheduleLines(from, userId))));
  yield json(LISTS.memory, listOf(lines(memoryLines(from, userId))));
  yield json(LISTS.sets, listOf(lines(setLines(from, userId))));
  yield json('files.json', listOf(fileLines(from, userId)));
  const avatars = await avatarsOf(from, userId);
  yield json(
    LISTS.avatars,
    once(
      avatars.map(({ file, ...facts }) => ({
        ...exportedRow('files', file),
        ...facts,
        path: avatarPathOf(file),
        sha256: file.hash,
      })),
    ),
  );
  const pictures = new Map(avatars.map(({ file }) => [file.id, file]));
  for (const file of pictures.values()) yield* bytesOf(from, file, avatarPathOf(file));
  for await (const { file } of eachFile(from, userId)) yield* bytesOf(from, file, pathOf(file));
}

/** None of a file whose bytes are not in our store. */
async function* bytesOf(from: From, { userId, id, mime }: FileRow, name: string): AsyncGenerator<ZipEntry> {
  const opened = await openFile(from, userId, id, Number.POSITIVE_INFINITY);
  if (opened) yield { name, chunks: opened.chunks, isCompressed: mime.startsWith('text/') };
}

async function* conversations({ db }: From, userId: string): AsyncGenerator<string> {
  const folders = new Map((await folderLines({ db }, userId)).map((folder) => [folder.id, folder]));
  const own = exported(userId);
  const all = eachRow(CONVOS_PAGE, (last: ConvoRow | null) => {
    const next = and(own, last ? gt(convos.id, last.id) : undefined);
    return db.read(({ query }) => query.select().from(convos).where(next).orderBy(asc(convos.id)).limit(CONVOS_PAGE));
  });
  let isFirst = true;
  for await (const convo of all) {
    if (!isFirst) yield ',\n';
    isFirst = false;
    yield* conversation(db, convo, folders.get(convo.folderId ?? ''));
  }
}

/** As the export of one conversation writes it, which the import reads, and with its times and its place in the list. */
async function* conversation(
  { read }: Pick<Db, 'read'>,
  convo: ConvoRow,
  folder: object | undefined,
): AsyncGenerator<string> {
  yield `${JSON.stringify(headOf(convo, folder)).slice(0, -1)},"messages":[`;
  const own = and(eq(messages.userId, convo.userId), eq(messages.convoId, convo.id), isNull(messages.deletedAt));
  const all = eachRow(MESSAGES_PAGE, (last: MessageRow | null) => {
    const next = and(own, last ? gt(messages.seq, last.seq) : undefined);
    return read(({ query }) =>
      query.select().from(messages).where(next).orderBy(asc(messages.seq)).limit(MESSAGES_PAGE),
    );
  });
  let isFirst = true;
  for await (const row of all) {
    yield `${isFirst ? '' : ','}${JSON.stringify(exportedMessage(row))}`;
    isFirst = false;
  }
  yield ']}';
}

/** All columns that travel, and what other programs read by other names. */
function headOf(convo: ConvoRow, folder: object | undefined) {
  const { id, title, endpoint, endpointType, model, settings } = convo;
  const options = { ...settings, presetId: null, title, endpoint, endpointType, model };
  return { conversationId: id, branches: true, recursive: false, ...exportedRow('convos', convo), folder, options };
}

function exportedMessage(row: MessageRow) {
  const message = presentMessage(row);
  // A long list of fields that most messages lack: what is absent is null when it is read.
  const columns = Object.entries(exportedRow('messages', row)).filter(([, value]) => value !== null);
  return {
    messageId: row.id,
    conversationId: row.convoId,
    parentMessageId: row.parentId ?? NO_PARENT,
    text: messageText(message),
    error: isFailure(message),
    ...(row.finishReason && { finish_reason: row.finishReason }),
    ...Object.fromEntries(columns),
  };
}

async function* fileLines(from: From, userId: string): AsyncGenerator<string> {
  let isFirst = true;
  for await (const { file, isKept } of eachFile(from, userId)) {
    const line = {
      ...presentFile(file, 0, null),
      ...exportedRow('files', file),
      path: pathOf(file),
      sha256: file.hash,
      ...(isKept && { isKept }),
    };
    yield `${isFirst ? '' : ',\n'}${JSON.stringify(line)}`;
    isFirst = false;
  }
}

/** `isKept`: whether its person keeps it among their files. */
interface OwnFile {
  file: FileRow;
  isKept: boolean;
}

function eachFile({ db }: From, userId: string): AsyncGenerator<OwnFile> {
  const own = and(eq(files.userId, userId), ne(files.context, 'avatar'));
  return eachRow(FILES_PAGE, (last: OwnFile | null) => {
    const next = and(own, last ? gt(files.id, last.file.id) : undefined);
    return db.read(({ query }) =>
      query
        .select({ file: files, isKept: isKept(query) })
        .from(files)
        .where(next)
        .orderBy(asc(files.id))
        .limit(FILES_PAGE),
    );
  });
}

/** All rows of a table, in pages that begin after the last row of the one before. */
async function* eachRow<Row>(pageRows: number, readAfter: (last: Row | null) => Promise<Row[]>): AsyncGenerator<Row> {
  let last: Row | null = null;
  for (;;) {
    const page: Row[] = await readAfter(last);
    yield* page;
    last = page.at(-1) ?? null;
    if (page.length < pageRows) return;
  }
}

/** Unique by the id; the name has nothing that a system takes for a path. */
function pathOf({ id, name }: Pick<FileRow, 'id' | 'name'>): string {
  return `files/${id}-${name.replaceAll(/[\p{Cc}\\/:*?"<>|]/gu, '_')}`;
}

function avatarPathOf({ id, mime }: Pick<FileRow, 'id' | 'mime'>): string {
  return `avatars/${id}.${mime.slice('image/'.length)}`;
}

function json(name: string, texts: AsyncIterable<string>): ZipEntry {
  return { name, chunks: encoded(texts), isCompressed: true };
}

async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const text of texts) yield Buffer.from(text);
}

async function* listOf(items: AsyncIterable<string>): AsyncGenerator<string> {
  yield '[';
  yield* items;
  yield ']\n';
}

async function* once(value: unknown): AsyncGenerator<string> {
  yield `${JSON.stringify(value, null, 2)}\n`;
}
