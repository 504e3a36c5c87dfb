// The files of an installation whose bytes lie beside its export: pictures in `images/`, all others in `uploads/`, as
// that system has them.
import { createReadStream } from 'node:fs';
import { files } from '@parley/db/tables/files';
import { cleanText } from '@parley/schema/clean-text';
import type { Attachment } from '@parley/schema/messages/messages';
import { and, eq } from 'drizzle-orm';
import * as z from 'zod';
import { detectType } from '../../files/detect-type.ts';
import { keepConverted } from '../../files/keep-converted.ts';
import { scanProblemOf } from '../../files/upload/file-refusal.ts';
import { findByTemporaryId, type Keeper } from '../../files/keep-file.ts';
import { presentAttachment, type FileRow } from '../../files/present.ts';
import { Refusal } from '../../platform/errors.ts';
import { receive, withArrival } from '../../storage/arrivals.ts';
import { bytesOf } from './bytes.ts';
import { fileOf, readDocuments } from './documents.ts';
import { skip, type Count } from './report.ts';
import type { People, Target } from './target.ts';

/** What a file of the installation is here, by its owner here and its id there. */
export type KeptFiles = (userId: string, fileId: string) => Attachment | undefined;

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
export async function importFiles(target: Target, folder: string, people: People, count: Count): Promise<KeptFiles> {
  const kept = new Map<string, Attachment>();
  const path = await fileOf(folder, 'files');
  for await (const { document } of path === null ? [] : readDocuments(path)) {
    count.read += 1;
    const { data } = FileDocument.safeParse(document);
    const userId = data && people.get(data.user);
    if (!data || !userId) {
      skip(count, data ? 'their user is not in the export' : 'not readable');
      continue;
    }
    const row = await importFile(target, folder, userId, data, count);
    if (row) kept.set(`${userId} ${data.file_id}`, presentAttachment(row));
  }
  return (userId, fileId) => kept.get(`${userId} ${fileId}`);
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
  const path = await bytesOf(folder, document.filepath);
  if (path === null) return leaveOut('their bytes are not in the folder; messages keep their names');
  if (isDry) {
    count.written += 1;
    return null;
  }
  try {
    const row = await keep(keeper, path, userId, document);
    if (!row) return leaveOut('of no type that is known');
    count.written += 1;
    return row;
  } catch (error) {
    if (scanProblemOf(error)) return leaveOut('the scanner of files did not let them pass');
    if (!(error instanceof Refusal)) throw error;
    return leaveOut(error.reason.type === 'storage_full' ? 'no room is left for their user' : 'not readable');
  }

  function leaveOut(why: string): null {
    skip(count, why);
    return null;
  }
}

/** Of the copy, since a store may take the file itself, and the export stays as it is. */
async function keep(
  keeper: Keeper,
  path: string,
  userId: string,
  { file_id: temporaryId, filename: name, type, createdAt }: FileDocument,
): Promise<FileRow | null> {
  return withArrival(keeper.config, async (copy) => {
    const arrived = await receive(createReadStream(path), copy);
    const mime = await detectType(copy, name, type);
    const facts = { userId, temporaryId, name, mime, context: 'message_attachment' as const };
    const row = await keepConverted(keeper, { ...facts, path: copy, ...arrived });
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
