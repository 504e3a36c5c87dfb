// What an export of everything holds, read from the database in pages and from the stores in pieces.
import { convos } from '@parley/db/tables/convos';
import { files } from '@parley/db/tables/files';
import { messages } from '@parley/db/tables/messages';
import type { Folder } from '@parley/schema/convos/folders';
import { isFailure, messageText, type ContextRecord } from '@parley/schema/messages/messages';
import { NO_PARENT } from '@parley/schema/messages/no-parent';
import { and, asc, eq, gt, isNull, ne } from 'drizzle-orm';
import { isoTime } from '../../platform/iso-time.ts';
import { eachAssistant } from '../../assistants/assistants.ts';
import { withoutActions } from '../../assistants/chosen-tools.ts';
import { presentUser, assertUser } from '../../auth/users.ts';
import type { ConvoRow } from '../../convos/present.ts';
import type { Deps } from '../../deps.ts';
import { isKept } from '../../files/attach-files.ts';
import { presentFile, type FileRow } from '../../files/present.ts';
import { openFile } from '../../files/read-file.ts';
import { listFolders } from '../../folders/folders.ts';
import { presentMessage, type MessageRow } from '../../messages/present.ts';
import { listPresets } from '../../presets/presets.ts';
import { readSettings } from '../../settings/settings.ts';
import type { ZipEntry } from '../../platform/zip/write-zip.ts';

type From = Pick<Deps, 'db' | 'stores'>;

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
  yield json('presets.json', once(await listPresets(from.db, userId)));
  yield json('folders.json', once(await listFolders(from.db, userId)));
  yield json('assistants.json', listOf(assistantLines(from, userId)));
  yield json('files.json', listOf(fileLines(from, userId)));
  for await (const { file } of eachFile(from, userId)) {
    const opened = await openFile(from, userId, file.id, Number.POSITIVE_INFINITY);
    if (opened) yield { name: pathOf(file), chunks: opened.chunks, isCompressed: file.mime.startsWith('text/') };
  }
}

async function* conversations({ db }: From, userId: string): AsyncGenerator<string> {
  const folders = new Map((await listFolders(db, userId)).map((folder) => [folder.id, folder]));
  const own = and(eq(convos.userId, userId), isNull(convos.deletedAt), isNull(convos.temporaryUntil));
  const all = eachRow(CONVOS_PAGE, (last: ConvoRow | null) => {
    const next = and(own, last ? gt(convos.id, last.id) : undefined);
    return db.query.select().from(convos).where(next).orderBy(asc(convos.id)).limit(CONVOS_PAGE);
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
  { query }: Pick<From['db'], 'query'>,
  convo: ConvoRow,
  folder: Folder | undefined,
): AsyncGenerator<string> {
  yield `${JSON.stringify(headOf(convo, folder)).slice(0, -1)},"messages":[`;
  const own = and(eq(messages.userId, convo.userId), eq(messages.convoId, convo.id), isNull(messages.deletedAt));
  const all = eachRow(MESSAGES_PAGE, (last: MessageRow | null) => {
    const next = and(own, last ? gt(messages.seq, last.seq) : undefined);
    return query.select().from(messages).where(next).orderBy(asc(messages.seq)).limit(MESSAGES_PAGE);
  });
  let isFirst = true;
  for await (const row of all) {
    yield `${isFirst ? '' : ','}${JSON.stringify(exportedMessage(row))}`;
    isFirst = false;
  }
  yield ']}';
}

function headOf(convo: ConvoRow, folder: Folder | undefined) {
  const { id, title, endpoint, endpointType, model, settings, isArchived, isPinned, folderId } = convo;
  const options = { ...settings, presetId: null, title, endpoint, endpointType, model };
  const [createdAt, updatedAt] = [convo.createdAt, convo.updatedAt].map(isoTime);
  const target = { createdAt, updatedAt, isArchived, isPinned, folderId, folder };
  return { conversationId: id, endpoint, title, branches: true, recursive: false, ...target, options };
}

function exportedMessage(row: MessageRow) {
  const message = presentMessage(row);
  const { parts, finishReason, reason, usage, context, parentMessageId, ...rest } = message;
  return {
    ...rest,
    parentMessageId: parentMessageId ?? NO_PARENT,
    text: messageText(message),
    error: isFailure(message),
    parts,
    ...(finishReason && { finish_reason: finishReason }),
    ...(reason && { reason }),
    ...(usage && { usage }),
    ...(context && { context: withoutPosition(context) }),
  };
}

/** An import assigns new ids. */
function withoutPosition({ oldestId: _place, ...context }: ContextRecord): ContextRecord {
  return context;
}

/** Their definitions. Their images stay out, and their actions, whose keys nobody exports. */
async function* assistantLines({ db }: From, userId: string): AsyncGenerator<string> {
  let isFirst = true;
  for await (const { tools, metadata, isShared: _, ...assistant } of eachAssistant(db, userId)) {
    const { avatar: _avatar, avatar_source: _source, ...words } = metadata;
    yield `${isFirst ? '' : ',\n'}${JSON.stringify({ ...assistant, tools: withoutActions(tools), metadata: words })}`;
    isFirst = false;
  }
}

async function* fileLines(from: From, userId: string): AsyncGenerator<string> {
  let isFirst = true;
  for await (const { file, isKept } of eachFile(from, userId)) {
    const line = { ...presentFile(file, 0, null), path: pathOf(file), sha256: file.hash, ...(isKept && { isKept }) };
    yield `${isFirst ? '' : ',\n'}${JSON.stringify(line)}`;
    isFirst = false;
  }
}

/** `isKept`: whether its person keeps it among their files. */
interface OwnFile {
  file: FileRow;
  isKept: boolean;
}

function eachFile({ db: { query } }: From, userId: string): AsyncGenerator<OwnFile> {
  const own = and(eq(files.userId, userId), ne(files.context, 'avatar'));
  return eachRow(FILES_PAGE, (last: OwnFile | null) => {
    const next = and(own, last ? gt(files.id, last.file.id) : undefined);
    return query
      .select({ file: files, isKept: isKept(query) })
      .from(files)
      .where(next)
      .orderBy(asc(files.id))
      .limit(FILES_PAGE);
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
