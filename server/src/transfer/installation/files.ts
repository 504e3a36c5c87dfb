// The files of an installation whose bytes lie beside its export: images in `images/`, all others in `uploads/`, as
// that system has them.
import { createReadStream } from 'node:fs';
import { files } from '@parley/db/tables/files';
import { cleanText } from '@parley/schema/clean-text';
import type { Attachment } from '@parley/schema/messages/messages';
import { and, eq } from 'drizzle-orm';
import * as z from 'zod';
import { detectType } from '../../files/detect-type.ts';
import { saveConverted } from '../../files/save-converted.ts';
import { scanProblem } from '../../files/upload/file-refusal.ts';
import { findByTemporaryId, type FileSaverDeps } from '../../files/save-file.ts';
import { presentAttachment, type FileRow } from '../../files/present.ts';
import { Refusal } from '../../platform/errors.ts';
import { receive, withArrival } from '../../storage/arrivals.ts';
import { readInstallationBytes } from './bytes.ts';
import { findCollectionFile, readDocuments } from './documents.ts';
import { skip, type Count } from './report.ts';
import type { People, Target } from './target.ts';

/** What a file of the installation is here, by its owner here and its id there. */
export type StoredFiles = (userId: string, fileId: string) => Attachment | undefined;

const FileDocument = z.object({
  user: z.string(),
  file_id: z.string().min(1).max(256),
  filename: z.string().min(1).max(1024).overwrite(cleanText),
  filepath: z.string().max(4096),
  type: z.string().max(256).catch(''),
  context: z.string().catch(''),
  createdAt: z.iso.datetime().optional().catch(undefined),
});
type FileDocument = z.infer<typeof FileDocument>;

/** Keeps each file as an upload is kept; one that is here from an earlier run stays as it is. */
export async function importFiles(target: Target, folder: string, people: People, count: Count): Promise<StoredFiles> {
  const stored = new Map<string, Attachment>();
  const path = await findCollectionFile(folder, 'files');
  for await (const { document } of path === null ? [] : readDocuments(path)) {
    count.read += 1;
    const { data } = FileDocument.safeParse(document);
    const userId = data && people.get(data.user);
    if (!data || !userId) {
      skip(count, data ? 'their user is not in the export' : 'not readable');
      continue;
    }
    const row = await importFile(target, folder, userId, data, count);
    if (row) stored.set(`${userId} ${data.file_id}`, presentAttachment(row));
  }
  return (userId, fileId) => stored.get(`${userId} ${fileId}`);
}

async function importFile(
  { isDry, ...keeper }: Target,
  folder: string,
  userId: string,
  document: FileDocument,
  count: Count,
): Promise<FileRow | null> {
  if (document.context === 'avatar') return leaveOut('pictures of people and assistants, which come with them');
  const present = await findByTemporaryId(keeper.db.query, userId, document.file_id);
  if (present) {
    count.present += 1;
    return present;
  }
  const path = await readInstallationBytes(folder, document.filepath);
  if (path === null) return leaveOut('their bytes are not in the folder; messages keep their names');
  if (isDry) {
    count.written += 1;
    return null;
  }
  try {
    const row = await saveImportedFile(keeper, path, userId, document);
    if (!row) return leaveOut('of no type that is known');
    count.written += 1;
    return row;
  } catch (error) {
    if (scanProblem(error)) return leaveOut('the scanner of files did not let them pass');
    if (!(error instanceof Refusal)) throw error;
    return leaveOut(error.reason.type === 'storage_full' ? 'no room is left for their user' : 'not readable');
  }

  function leaveOut(why: string): null {
    skip(count, why);
    return null;
  }
}

/** Of the copy, since a store may take the file itself, and the export stays as it is. */
async function saveImportedFile(
  keeper: FileSaverDeps,
  path: string,
  userId: string,
  { file_id: temporaryId, filename: name, type, createdAt }: FileDocument,
): Promise<FileRow | null> {
  return withArrival(keeper.config, async (copy) => {
    const arrived = await receive(createReadStream(path), copy);
    const mime = await detectType(copy, name, type);
    const facts = { userId, temporaryId, name, mime, context: 'message_attachment' as const };
    const row = await saveConverted(keeper, { ...facts, path: copy, ...arrived });
    const times = createdAt === undefined ? {} : { createdAt, updatedAt: createdAt };
    // Files that no message uses are kept, too: their owner has them in the list of files.
    const ofRow = and(eq(files.userId, userId), eq(files.id, row.id));
    await keeper.db.query
      .update(files)
      .set({ expiresAt: null, ...times })
      .where(ofRow);
    return row;
  });
}
