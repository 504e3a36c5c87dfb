// Files of an export of everything, or of ChatGPT's export. Each passes the checks of an upload and expires like one
// until `keep`; the same bytes of the same name are one file, whether they were uploaded, imported before or both.
import { utimes } from 'node:fs/promises';
import { files, fileUses } from '@parley/db/tables/files';
import { fileLimitsOf, MEGABYTE, type FilesYaml } from '@parley/schema/files/file-limits';
import { Id } from '@parley/schema/ids';
import type { Attachment } from '@parley/schema/messages/messages';
import type { ArchiveLine } from '@parley/schema/transfer/results';
import { and, eq, isNotNull, ne, or, sql, type SQL } from 'drizzle-orm';
import { detectType } from '../../files/detect-type.ts';
import { saveConverted } from '../../files/save-converted.ts';
import { UNUSED_HOURS, type NewFile, type FileSaverDeps } from '../../files/save-file.ts';
import { presentAttachment, type FileRow } from '../../files/present.ts';
import { assertQuota } from '../../files/quota.ts';
import { derivedId } from '../../platform/derived-id.ts';
import { logError } from '../../platform/log-error.ts';
import type { FindFile } from '../stored-links.ts';
import { bytesOfFiles, listFiles, type ExportedFile, type FileColumns } from './list-files.ts';
import type { Archive } from './open-archive.ts';
import { withUnpacked, type Skipped } from './unpack-file.ts';

/** A file that is here now, or why it is not. */
export type Outcome = { row: FileRow; isNew: boolean } | Skipped;

export interface RestoredFile {
  line: ArchiveLine;
  /** Of its entry, unpacked. */
  bytes: number;
}

export interface FileRestore {
  /** Bytes of all entries of files. */
  bytes: number;
  restore(): AsyncGenerator<RestoredFile, void>;
  find: FindFile;
  /** Postpones the time at which the files expire and the archive is taken for abandoned, when it is due. */
  hold(): Promise<void>;
  /**
   * Of the files that had no use here, keeps those that had one where they come from: they are in the list of files.
   * What its person kept there is kept here.
   */
  save(): Promise<void>;
  /** Has `save` keep a file of the person that came another way. */
  keepLasting(fileId: string): void;
}

/** More than an archive may have entries. */
const LINES_MAX = 100_000;
const HOLD_EVERY_MS = 10 * 60_000;
/** Contexts of what tools made, which may be of any type. */
const MADE: readonly string[] = ['image_generation', 'assistants_output'];

/** `archivePath` is where the archive lies while it is read. */
export function createFileRestore(
  deps: FileSaverDeps,
  userId: string,
  { zip, chatGptNames }: Pick<Archive, 'zip' | 'chatGptNames'>,
  archivePath: string,
): FileRestore {
  const stored = new Map<string, Attachment>();
  /** Ids of the files that stay without a use. */
  const lasting = new Set<string>();
  /** Ids of those that their person keeps. */
  const kept = new Set<string>();
  /** When new ones were last changed where they come from: a use by an assistant changes that. */
  const changed = new Map<string, string>();
  const { query } = deps.db;
  let heldAt = Date.now();
  return {
    bytes: bytesOfFiles(zip),
    restore,
    find: (fileId) => stored.get(fileId),
    hold,
    save: keep,
    keepLasting: (id) => void kept.add(id),
  };

  async function* restore(): AsyncGenerator<RestoredFile, void> {
    /** Each entry is one file: a list that names one again would have it unpacked and written for each line. */
    const used = new Set<string>();
    for await (const file of listFiles(zip, chatGptNames)) {
      if (used.size >= LINES_MAX) return;
      if (used.has(file.path)) {
        yield { line: note(file, { reason: 'missing' }), bytes: 0 };
        continue;
      }
      used.add(file.path);
      await hold();
      const outcome = await restoreFile(deps, userId, zip, file).catch((error: unknown) => failed(error));
      yield { line: note(file, outcome), bytes: zip.sizeOf(file.path).unpacked };
    }
  }

  function note(file: ExportedFile, outcome: Outcome): ArchiveLine {
    const { fileId, name, expiresAt, isKept, updatedAt } = file;
    if ('reason' in outcome) return { kind: 'file', name, outcome: 'skipped', reason: outcome.reason };
    stored.set(fileId, presentAttachment(outcome.row));
    if (expiresAt === null || expiresAt === undefined) lasting.add(outcome.row.id);
    if (isKept) kept.add(outcome.row.id);
    if (outcome.isNew && updatedAt !== undefined) changed.set(outcome.row.id, updatedAt);
    return { kind: 'file', name, outcome: outcome.isNew ? 'imported' : 'present' };
  }

  function failed(error: unknown): Outcome {
    logError(deps.log, error, { event: 'import.failed', userId });
    return { reason: 'failed' };
  }

  async function hold(): Promise<void> {
    if (Date.now() - heldAt < HOLD_EVERY_MS) return;
    heldAt = Date.now();
    const now = new Date();
    await utimes(archivePath, now, now);
    await query
      .update(files)
      .set({ expiresAt: inAnHour })
      .where(waiting([...stored.values()].map((file) => file.fileId)));
  }

  async function keep(): Promise<void> {
    await query
      .update(files)
      .set({ expiresAt: null })
      .where(waiting([...lasting, ...kept]));
    if (kept.size > 0) await keepForOwner(deps, userId, [...kept]);
    if (changed.size > 0) await setChanged(deps, userId, changed);
  }

  /** Those of the files that still expire. */
  function waiting(ids: readonly string[]): SQL | undefined {
    return and(eq(files.userId, userId), sql`${files.id} = any(${sql.param(ids)}::uuid[])`, isNotNull(files.expiresAt));
  }
}

/** Without a change of their times, by which the list is sorted. One that was deleted meanwhile is not kept. */
async function keepForOwner({ db: { query } }: FileSaverDeps, userId: string, ids: readonly string[]): Promise<void> {
  const own = and(eq(files.userId, userId), sql`${files.id} = any(${sql.param(ids)}::uuid[])`);
  const use = { userId: files.userId, fileId: files.id, kind: sql`'owner'`.as('kind'), ref: sql`${userId}`.as('ref') };
  await query.insert(fileUses).select(query.select(use).from(files).where(own).for('key share')).onConflictDoNothing();
}

/** Only to earlier times than those of the import. */
async function setChanged({ db }: FileSaverDeps, userId: string, times: ReadonlyMap<string, string>): Promise<void> {
  await db.query.execute(sql`
    update files set updated_at = given.at::timestamptz
    from unnest(${sql.param([...times.keys()])}::uuid[], ${sql.param([...times.values()])}::text[]) as given (id, at)
    where files.user_id = ${userId} and files.id = given.id and files.updated_at > given.at::timestamptz`);
}

const inAnHour = sql`now() + make_interval(hours => ${UNUSED_HOURS})`;

async function restoreFile(
  deps: FileSaverDeps,
  userId: string,
  zip: Archive['zip'],
  file: ExportedFile,
): Promise<Outcome> {
  const id = Id.safeParse(file.fileId).data;
  const own = id && (await holdFile(deps, userId, eq(files.id, id)));
  if (own) return { row: own, isNew: false };
  const maxBytes = (deps.config.files.limits?.serverFileSizeLimit ?? 512) * MEGABYTE;
  const keep = (unpacked: Arrived) => saveUnpacked(deps, userId, unpacked, file);
  return withUnpacked<Outcome>(deps.config, zip, file, maxBytes, keep);
}

type Arrived = Pick<NewFile, 'path' | 'hash' | 'bytes'>;

/** Keeps bytes that have arrived, unless they are here. Until something uses it, the file expires like an upload. */
export async function saveUnpacked(
  deps: FileSaverDeps,
  userId: string,
  arrived: Arrived,
  file: Pick<ExportedFile, 'name' | 'mime' | 'context'> & FileColumns,
): Promise<Outcome> {
  const { path, hash, bytes } = arrived;
  const { name, mime: claimed, context } = file;
  const temporaryId = derivedId('import-file', hash, name);
  const isSame = or(eq(files.temporaryId, temporaryId), and(eq(files.hash, hash), eq(files.name, name)));
  const known = await holdFile(deps, userId, isSame);
  if (known) return { row: known, isNew: false };
  const isMade = MADE.includes(context);
  const mime = await detectType(path, name, isMade ? '' : claimed);
  if (!(isMade || isAccepted(deps.config.files.limits, mime))) return { reason: 'type' };
  await assertQuota(deps.db.query, userId, deps.config.files.quotaBytes, bytes);
  const row = await saveConverted(deps, { ...arrived, userId, temporaryId, name, mime, context });
  await setColumns(deps, row, file);
  return { row, isNew: true };
}

/** One that is here already, whose time begins anew: it may be about to expire. */
async function holdFile({ db }: FileSaverDeps, userId: string, which: SQL | undefined): Promise<FileRow | undefined> {
  const ofUser = and(eq(files.userId, userId), ne(files.context, 'avatar'), which);
  const rows = await db.query
    .update(files)
    .set({ expiresAt: sql`case when ${files.expiresAt} is not null then ${inAnHour} end` })
    .where(ofUser)
    .returning();
  return rows[0];
}

/** On any endpoint: its conversation may be of any. */
function isAccepted(yaml: FilesYaml | null | undefined, mime: string): boolean {
  return ['', ...Object.keys(yaml?.endpoints ?? {})].some((endpoint) => fileLimitsOf(endpoint, yaml).accepts(mime));
}

/** The list of files is in the order of their times. */
export async function setColumns(
  { db }: FileSaverDeps,
  { userId, id }: FileRow,
  { createdAt, updatedAt = createdAt, others }: FileColumns,
): Promise<void> {
  const now = new Date().toISOString();
  const isSound = createdAt !== undefined && updatedAt !== undefined && createdAt <= now && updatedAt <= now;
  const set = { ...others, ...(isSound && { createdAt, updatedAt }) };
  if (Object.keys(set).length === 0) return;
  await db.query
    .update(files)
    .set(set)
    .where(and(eq(files.userId, userId), eq(files.id, id)));
}
