// Tests of this room: tests/integration/shares.
import type { CopiedShare, SharedMessage, SharedPart } from '@parley/schema/convos/shares';
import type { MessagePart } from '@parley/schema/messages/messages';
import { filePath, presentAttachment, type FileRow } from '../files/present.ts';
import { refuse, Refusal } from '../platform/errors.ts';
import { createSlices } from '../platform/event-loop.ts';
import { prepareSource } from '../transfer/prepare.ts';
import { saveConvos } from '../transfer/save.ts';
import { type SourceMessage, UNTOLD } from '../transfer/source.ts';
import { openShare, readFiles } from './shares.ts';
import { type FileSaverDeps, findByTemporaryId, saveFile, createFileSaver } from '../files/save-file.ts';
import { blobs } from '@parley/db/tables/files';
import { and, eq } from 'drizzle-orm';
import { assertDiskSpace, assertQuota } from '../files/quota.ts';
import { derivedId } from '../platform/derived-id.ts';
import { logError } from '../platform/log-error.ts';
import { receive, withArrival } from '../storage/arrivals.ts';
import { storageKey, MissingFile } from '../storage/file-store.ts';
import type { CoreServices } from '../platform/requests/request-services.ts';

const MESSAGES_AT_ONCE = 200;

/**
 * Copies a shared conversation into the user's own ones, to go on with it. The same link copied again is the same
 * conversation, with what was added since. A file that cannot be copied leaves its name.
 * @throws Refusal `not_found`
 */
export async function copyShare(deps: FileSaverDeps, userId: string, id: string): Promise<CopiedShare> {
  const { thread, ownerId } = await openShare(deps, id);
  const ids = thread.files ?? [];
  const rows = new Map((await readFiles(deps, ownerId, ids)).map((row) => [row.id, row]));
  // In the order of the messages: where room ends, it is the later ones that are left out.
  const copied = await copyFiles(
    deps,
    userId,
    id,
    ids.flatMap((fileId) => rows.get(fileId) ?? []),
  );
  const fileOf = (n: number) => copied.get(ids[n - 1] ?? '');
  const { title, endpoint, endpointType, model } = thread;
  const source = {
    id: `share ${id}`,
    title,
    endpoint,
    endpointType,
    model,
    settings: {},
    isArchived: false,
    createdAt: null,
    updatedAt: Date.now(),
    messages: thread.messages.map((message) => sourceOf(message, id, fileOf)),
    dropped: 0,
  };
  const slices = createSlices(MESSAGES_AT_ONCE);
  const prepared = await prepareSource(source, { index: 0, size: 0 }, Date.now(), slices);
  if ('reason' in prepared) refuse({ type: 'not_found', what: 'share' });
  const [saved] = await saveConvos(deps.db, userId, [prepared], { keepsIds: false, origin: 'share' });
  if (saved === undefined || saved.outcome === 'skipped') refuse({ type: 'not_found', what: 'share' });
  return { conversationId: saved.conversationId, missing: missingOf(thread.messages, fileOf) };
}

/** The person's own file that became of a number of the link. */
type FileOf = (n: number) => FileRow | undefined;

/** The names of the files that are no files in the copy, each once. */
function missingOf(messages: readonly SharedMessage[], fileOf: FileOf): string[] {
  const parts = messages.flatMap((message) => message.parts);
  return [...new Set(parts.flatMap((one) => (one.type === 'file' && one.file && !fileOf(one.file.n) ? one.name : [])))];
}

function sourceOf(message: SharedMessage, shareId: string, fileOf: FileOf): SourceMessage {
  const { messageId, parentMessageId, parts, createdAt, seq: _seq, ...kept } = message;
  return {
    ...kept,
    id: `${shareId} ${messageId}`,
    parentId: parentMessageId && `${shareId} ${parentMessageId}`,
    parts: parts.map((part) => partOf(part, shareId, fileOf)),
    finishReason: null,
    ...UNTOLD,
    createdAt: Date.parse(createdAt),
    updatedAt: null,
  };
}

function partOf(part: SharedPart, shareId: string, fileOf: FileOf): MessagePart {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: withOwnPaths(part.text, shareId, fileOf) };
    case 'reasoning':
      return part;
    case 'tool':
      return { type: 'text', text: `\n[tool: ${part.label}]\n` };
    case 'file': {
      const own = part.file && fileOf(part.file.n);
      return own ? { ...presentAttachment(own), name: part.name } : { type: 'text', text: `\n[file: ${part.name}]\n` };
    }
    default:
      return part satisfies never;
  }
}

/** A text that links to files by the addresses of the link does so, in the copy, by those of the person's own ones. */
function withOwnPaths(text: string, shareId: string, fileOf: FileOf): string {
  const address = new RegExp(`/api/share/${shareId}/(?:images|files)/(\\d+)(?:\\.\\w+)?`, 'g');
  return text.replaceAll(address, (whole, n: string) => {
    const own = fileOf(Number(n));
    return own ? filePath(own) : whole;
  });
}

// The files of a shared conversation, for the person who copies it: their own ones afterwards, within their quota.

/** A shared file that cannot be copied is left out: a copy without it is better than none. */
async function copyFiles(
  deps: FileSaverDeps,
  userId: string,
  shareId: string,
  rows: readonly FileRow[],
): Promise<Map<string, FileRow>> {
  const copied = new Map<string, FileRow>();
  for (const row of rows) {
    const own = await copyFile(deps, userId, shareId, row).catch((error: unknown) => {
      const isUsual = error instanceof Refusal || error instanceof MissingFile;
      if (!isUsual) logError(deps.log, error, { event: 'request.failed', path: 'shares.copy' });
      return null;
    });
    if (own) copied.set(row.id, own);
  }
  return copied;
}

/** The same file copied again is the file of the first time. @throws Refusal `storage_full` */
async function copyFile(deps: FileSaverDeps, userId: string, shareId: string, row: FileRow): Promise<FileRow> {
  if (row.userId === userId) return row;
  const temporaryId = derivedId('shared file', shareId, row.id);
  const known = await findByTemporaryId(deps.db.query, userId, temporaryId);
  if (known) return known;
  const { hash, name, mime, bytes, width, height } = row;
  if (hash === null) throw new MissingFile('The file has no bytes in our stores');
  await assertRoom(deps, userId, { hash, bytes });
  return withArrival(deps.config, async (path) => {
    const arrived = await receive(await deps.stores.of(row.source).read(storageKey(row.userId, hash)), path);
    if (arrived.hash !== hash) throw new MissingFile('The file was read in part');
    const context = 'message_attachment';
    return saveFile(createFileSaver(deps), {
      userId,
      path,
      hash,
      name,
      mime,
      bytes,
      width,
      height,
      context,
      temporaryId,
    });
  });
}

/** Before anything is read. Bytes that they have already take no room. */
async function assertRoom(
  { db, config }: CoreServices,
  userId: string,
  { hash, bytes }: { hash: string; bytes: number },
) {
  const stored = and(eq(blobs.userId, userId), eq(blobs.hash, hash), eq(blobs.state, 'stored'));
  const more = (await db.query.$count(blobs, stored)) > 0 ? 0 : bytes;
  await assertQuota(db.query, userId, config.files.quotaBytes, more);
  await assertDiskSpace(config.server.dataDir, bytes);
}
