import { isImageType } from '@parley/schema/files/file-types';
import type { StoredFile } from '@parley/schema/files/stored-file';
import type { RestFile, UploadedFile } from '../shapes/file.ts';

/** The word that existing clients expect for chat files that are no image: their text is searched, not shown. */
const INDEXED = 'vectordb';

/** A file as REST clients expect it (docs/rest-compat.md, Files). Unset fields are omitted. */
export function presentRestFile(userId: string, file: StoredFile): RestFile {
  const { fileId, temporaryId, name, mime, bytes, width, height, context, uses, document, expiresAt } = file;
  const isIndexed = context === 'message_attachment' && !isImageType(mime);
  return {
    user: userId,
    file_id: fileId,
    ...(temporaryId !== null && { temp_file_id: temporaryId }),
    bytes,
    filename: name,
    filepath: isIndexed ? INDEXED : file.path,
    object: 'file',
    type: mime,
    context,
    usage: uses,
    source: isIndexed ? INDEXED : file.source,
    embedded: document?.state === 'embedding' || document?.state === 'ready',
    ...(width !== null && { width }),
    ...(height !== null && { height }),
    ...(expiresAt !== null && { expiresAt }),
    createdAt: file.createdAt,
    updatedAt: file.updatedAt,
  };
}

/** The answer to its upload. */
export function presentUploadedFile(userId: string, file: StoredFile): UploadedFile {
  return { message: 'File uploaded and processed successfully', ...presentRestFile(userId, file) };
}
