// A row of `files` as the browser and the parts of a message use it.
import type { files } from '@parley/db/tables/files';
import type { DocumentStatus } from '@parley/schema/files/documents';
import type { StoredFile } from '@parley/schema/files/stored-file';
import { isImageType } from '@parley/schema/files/file-types';
import type { Attachment } from '@parley/schema/messages/messages';
import { isoTime } from '../platform/iso-time.ts';

export type FileRow = typeof files.$inferSelect;

export function presentFile(row: FileRow, uses: number, document: DocumentStatus | null): StoredFile {
  const { name, mime, bytes, width, height, context, source } = row;
  return {
    fileId: row.id,
    temporaryId: row.temporaryId,
    name,
    mime,
    bytes,
    width,
    height,
    context,
    source,
    path: filePath(row),
    uses,
    document,
    createdAt: isoTime(row.createdAt),
    updatedAt: isoTime(row.updatedAt),
    expiresAt: row.expiresAt === null ? null : isoTime(row.expiresAt),
  };
}

/** A file as a part of the question that it is attached to. */
export function presentAttachment(row: FileRow): Attachment {
  const { id: fileId, name, mime, bytes, width, height } = row;
  const path = filePath(row);
  return isImageType(mime) && width !== null && height !== null
    ? { type: 'image', fileId, path, width, height, name, mime, bytes }
    : { type: 'file', fileId, path, name, mime, bytes };
}

/** The address on this server. That of an image ends like a file, as `<img>` and existing clients expect. */
export function filePath({ userId, id, name, mime }: Pick<FileRow, 'userId' | 'id' | 'name' | 'mime'>): string {
  if (!isImageType(mime)) return `/api/files/download/${userId}/${id}`;
  return `/images/${userId}/${id}__${plainName(name)}.${mime.slice('image/'.length)}`;
}

const PLAIN_MAX = 80;

/** The name without its extension, in letters that need no escape in an address. */
function plainName(name: string): string {
  const stem = name.includes('.') ? name.slice(0, name.lastIndexOf('.')) : name;
  return stem.replaceAll(/[^\w-]+/g, '_').slice(0, PLAIN_MAX) || 'image';
}
