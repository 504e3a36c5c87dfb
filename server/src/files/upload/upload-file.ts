// One uploaded file: received, checked, written anew if it is an image, and kept.
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { fileLimitsOf, MEGABYTE, type FileLimits } from '@parley/schema/files/file-limits';
import { guessType } from '@parley/schema/files/detect-type';
import { becomesImage, isExtractable, problemOfType } from '@parley/schema/files/file-types';
import { FILE_FIELD, FileFields, ImageFields } from '@parley/schema/files/upload-forms';
import { refuse } from '../../platform/errors.ts';
import { arrivalsFolder } from '../../storage/arrivals.ts';
import { scanFile } from './scan-file.ts';
import { findKept, keepFile } from '../attach-files.ts';
import { detectType } from '../detect-type.ts';
import { saveConverted } from '../save-converted.ts';
import { findByTemporaryId, type FileSaverDeps } from '../save-file.ts';
import type { FileRow } from '../present.ts';
import { refuseFile } from './file-refusal.ts';
import { receiveUpload, refuseSize, type ReceivedFile, type Upload } from './receive-upload.ts';
import type { Retrieval } from '../../retrieval/retrieval.ts';
import type { CoreServices } from '../../platform/requests/request-services.ts';

export interface UploadServices extends FileSaverDeps {
  retrieval: Retrieval;
}

export interface UploadedFile {
  row: FileRow;
  /** The assistant that the file is for; null for any other file. */
  assistantId: string | null;
}

/**
 * `kind` is that of the path: an upload to the path of images must be one.
 * @throws Refusal `invalid_input` with a sentence for the user; `storage_full`
 */
export async function uploadFile(
  deps: UploadServices,
  userId: string,
  incoming: IncomingMessage,
  kind: 'file' | 'image',
): Promise<UploadedFile> {
  const { limits: yaml } = deps.config.files;
  const serverMax = (yaml?.serverFileSizeLimit ?? 512) * MEGABYTE;
  const folder = arrivalsFolder(deps.config);
  const maxBytes = (fields: ReadonlyMap<string, string>) => {
    const endpoint = fields.get('endpoint' satisfies keyof typeof FileFields.shape);
    // It may come after the file: then its own limit is checked at the end.
    return endpoint === undefined ? serverMax : Math.min(serverMax, limitsOf(deps, endpoint).fileBytes);
  };
  const onFile = ({ name, claimed }: Pick<ReceivedFile, 'name' | 'claimed'>) => {
    if (isExtractable(guessType(name, claimed))) deps.retrieval.prepare();
  };
  const upload = await receiveUpload(incoming, { folder, fieldName: FILE_FIELD, maxBytes, onFile });
  try {
    const form = assertComplete(upload, kind);
    const accept = () => assertAccepted(deps, form.file, limitsOf(deps, form.endpoint), kind);
    const row = await storeUpload(deps, userId, form, accept);
    return { row: form.isKept ? await keepFile(deps.db, userId, row) : row, assistantId: form.assistantId };
  } finally {
    if (upload.file) await rm(upload.file.path, { force: true });
  }
}

/** The file of the same upload before, or the one that its person keeps already; else a new one. */
async function storeUpload(
  deps: FileSaverDeps,
  userId: string,
  { file, temporaryId, endpoint, isForMessage, isKept }: ReturnType<typeof assertComplete>,
  accept: () => Promise<string>,
): Promise<FileRow> {
  const before = await findByTemporaryId(deps.db.query, userId, temporaryId);
  if (before) return before;
  const mime = await accept();
  const kept = isKept ? await findKept(deps.db, userId, file) : undefined;
  if (kept) return kept;
  const context = endpoint === 'assistants' && !isForMessage ? 'assistants' : 'message_attachment';
  return saveConverted(deps, { ...file, userId, temporaryId, mime, context }, endpoint);
}

/** @throws Refusal `invalid_input` when the endpoint takes no files */
function limitsOf(deps: CoreServices, endpoint: string): FileLimits {
  const limits = fileLimitsOf(endpoint, deps.config.files.limits);
  return limits.isDisabled ? refuseFile({ type: 'not_here', endpoint }) : limits;
}

/** The fields that every upload has, checked; `temporaryId` is the client's id of the upload. */
function assertComplete({ fields, file }: Upload, kind: 'file' | 'image') {
  if (!file) return refuseWith('The form has no file.');
  const form = kind === 'image' ? ImageFields : FileFields;
  const { data, error } = form.safeParse(Object.fromEntries(fields));
  if (error) return refuseWith(error.issues[0]?.message ?? 'The form is not complete.');
  const { file_id: temporaryId, endpoint, assistant_id: assistantId = null } = data;
  const isForMessage = data.message_file === 'true';
  return {
    file,
    temporaryId,
    endpoint,
    isForMessage,
    assistantId: endpoint === 'assistants' && !isForMessage ? assistantId : null,
    isKept: data.keep === 'true',
  };
}

/** The type that the endpoint accepts. */
async function assertAccepted(
  deps: CoreServices,
  file: ReceivedFile,
  limits: FileLimits,
  kind: 'file' | 'image',
): Promise<string> {
  if (file.bytes > limits.fileBytes) refuseSize(limits.fileBytes);
  if (file.bytes > limits.totalBytes)
    refuseFile({ type: 'too_large_together', megabytes: Math.floor(limits.totalBytes / MEGABYTE) });
  if (file.bytes === 0) return refuseFile({ type: 'empty', name: file.name });
  const mime = await detectType(file.path, file.name, file.claimed);
  if (!limits.accepts(mime) || (kind === 'image' && !becomesImage(mime)))
    return refuseFile(problemOfType(file.name, mime));
  // Before it is decoded. What is kept of it is scanned in any case.
  if (becomesImage(mime)) await scanFile(deps, file.path);
  return mime;
}

function refuseWith(text: string): never {
  return refuse({ type: 'invalid_input', text });
}
