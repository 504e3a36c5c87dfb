import { isImageType } from '@parley/schema/files/file-types';
import type { StoredFile } from '@parley/schema/files/stored-file';
import type { Attachment } from '@parley/schema/messages/messages';

/** A stored file as a part of a question. */
export function storedAttachment({ fileId, path, name, mime, bytes, width, height }: StoredFile): Attachment {
  return isImageType(mime) && width !== null && height !== null
    ? { type: 'image', fileId, path, width, height, name, mime, bytes }
    : { type: 'file', fileId, path, name, mime, bytes };
}
