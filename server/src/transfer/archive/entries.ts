// What an export of everything holds, read from the database in pages and from the stores in pieces.
import { convos } from '@parley/db/tables/convos';
import { files } from '@parley/db/tables/files';
import { messages } from '@parley/db/tables/messages';
import type { Folder } from '@parley/schema/convos/folders';
import { isFailure, textOf, type ContextRecord } from '@parley/schema/messages/messages';
import { NO_PARENT } from '@parley/schema/messages/no-parent';
import { and, asc, eq, gt, isNull, ne } from 'drizzle-orm';
import { isoTime } from '../../platform/iso-time.ts';
import { eachAssistant } from '../../assistants/assistants.ts';
import { withoutActions } from '../../assistants/chosen-tools.ts';
import { presentUser, assertUser } from '../../auth/users.ts';
import type { ConvoRow } from '../../convos/present.ts';
import type { Deps } from '../../deps.ts';
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
  for await (const file of eachFile(from, userId)) {
    const opened = await openFile(from, userId, file.id, Number.POSITIVE_INFINITY);
    if (opened) yield { name: pathOf(file), chunks: opened.chunks, isCompressed: file.mime.startsWith('text/') };
  }
}

async function* conversations({ db }: From, userId: string): AsyncGenerator<string> {
  const { query } = db;
  const folders = new Map((await listFolders(db, userId)).map((folder) => [folder.id, folder]));
  let last: string | null = null;
  for (;;) {
    const page: ConvoRow[] = await query
      .select()
      .from(convos)
      .where(
        and(
          eq(convos.userId, userId),
          isNull(convos.deletedAt),
          isNull(convos.temporaryUntil),
          last === null ? undefined : gt(convos.id, last),
        ),
      )
      .orderBy(asc(convos.id))
      .limit(CONVOS_PAGE);
    for (const [index, convo] of page.entries()) {
      if (index > 0 || last !== null) yield ',\n';
      yield* conversation({ query }, convo, folders.get(convo.folderId ?? ''));
    }
    last = page.at(-1)?.id ?? null;
    if (page.length < CONVOS_PAGE) return;
  }
}

/** As the export of one conversation writes it, which the import reads, and with its times and its place in the list. */
async function* conversation(
  { query }: Pick<From['db'], 'query'>,
  convo: ConvoRow,
  folder: Folder | undefined,
): AsyncGenerator<string> {
  const { id, userId, title, endpoint, endpointType, model, settings, isArchived, isPinned, folderId } = convo;
  const options = { ...settings, presetId: null, title, endpoint, endpointType, model };
  const [createdAt, updatedAt] = [convo.createdAt, convo.updatedAt].map(isoTime);
  const place = { createdAt, updatedAt, isArchived, isPinned, folderId, folder };
  const head = { conversationId: id, endpoint, title, branches: true, recursive: false, ...place, options };
  yield `${JSON.stringify(head).slice(0, -1)},"messages":[`;
  let last: number | null = null;
  for (;;) {
    const page: MessageRow[] = await query
      .select()
      .from(messages)
      .where(
        and(
          eq(messages.userId, userId),
          eq(messages.convoId, id),
          isNull(messages.deletedAt),
          last === null ? undefined : gt(messages.seq, last),
        ),
      )
      .orderBy(asc(messages.seq))
      .limit(MESSAGES_PAGE);
    for (const [index, row] of page.entries())
      yield `${index > 0 || last !== null ? ',' : ''}${JSON.stringify(exportedMessage(row))}`;
    last = page.at(-1)?.seq ?? null;
    if (page.length < MESSAGES_PAGE) break;
  }
  yield ']}';
}

function exportedMessage(row: MessageRow) {
  const message = presentMessage(row);
  const { parts, finishReason, reason, usage, context, parentMessageId, ...rest } = message;
  return {
    ...rest,
    parentMessageId: parentMessageId ?? NO_PARENT,
    text: textOf(message),
    error: isFailure(message),
    parts,
    ...(finishReason && { finish_reason: finishReason }),
    ...(reason && { reason }),
    ...(usage && { usage }),
    ...(context && { context: withoutPlace(context) }),
  };
}

/** An import assigns new ids. */
function withoutPlace({ oldestId: _place, ...context }: ContextRecord): ContextRecord {
  return context;
}

/** Their definitions. Their pictures stay out, and their actions, whose keys nobody exports. */
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
  for await (const file of eachFile(from, userId)) {
    yield `${isFirst ? '' : ',\n'}${JSON.stringify({ ...presentFile(file, 0, null), path: pathOf(file), sha256: file.hash })}`;
    isFirst = false;
  }
}

async function* eachFile({ db: { query } }: From, userId: string): AsyncGenerator<FileRow> {
  let last: string | null = null;
  for (;;) {
    const page: FileRow[] = await query
      .select()
      .from(files)
      .where(and(eq(files.userId, userId), ne(files.context, 'avatar'), last === null ? undefined : gt(files.id, last)))
      .orderBy(asc(files.id))
      .limit(FILES_PAGE);
    yield* page;
    last = page.at(-1)?.id ?? null;
    if (page.length < FILES_PAGE) return;
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
