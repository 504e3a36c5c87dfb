// The files of a shared conversation, at the addresses that its visitors may open.
import { sharedFilePath } from '@parley/schema/convos/shared-file-path';
import type { SharedMessage, SharedPart } from '@parley/schema/convos/shares';
import type { Attachment, ImagePart } from '@parley/schema/messages/messages';

/** Null for all other parts, and for a file of which only the name is shared. */
export function sharedAttachment(shareId: string, part: SharedPart): Attachment | null {
  if (part.type !== 'file' || !part.file) return null;
  const { name, file } = part;
  const { n, mime, bytes, width, height } = file;
  const common = { fileId: `${shareId} ${n}`, path: sharedFilePath(shareId, file), name, mime, bytes };
  return width === undefined || height === undefined
    ? { type: 'file', ...common }
    : { type: 'image', ...common, width, height };
}

export function attachmentsOfShared(shareId: string, parts: readonly SharedPart[]): Attachment[] {
  return parts.flatMap((part) => sharedAttachment(shareId, part) ?? []);
}

export function sharedImages(shareId: string, messages: readonly SharedMessage[]): ImagePart[] {
  const attached = messages.flatMap(({ parts }) => attachmentsOfShared(shareId, parts));
  return attached.filter((one): one is ImagePart => one.type === 'image');
}
