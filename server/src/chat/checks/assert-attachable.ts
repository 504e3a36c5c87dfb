import type { Query } from '@parley/db/client';
import type { AskInput } from '@parley/schema/chat/ask';
import { fileLimitsOf, MEGABYTE, type FileLimits, type FilesYaml } from '@parley/schema/files/file-limits';
import { IMAGE_TYPES, isImageType, UNKNOWN_TYPE } from '@parley/schema/files/file-types';
import type { Attachment } from '@parley/schema/messages/messages';
import type { Endpoint } from '../../catalog/endpoint.ts';
import { readAttachments } from '../../files/read-attachments.ts';
import { assertSupports } from '../../messages/capabilities.ts';
import { refuse } from '../../platform/errors.ts';

/**
 * Checks that the endpoint takes the attachments of a question: so many of them, of their types and sizes.
 * @throws Refusal `conflict` or `invalid_input`
 */
export async function assertAttachable(
  query: Query,
  userId: string,
  endpoint: Endpoint,
  { target }: AskInput,
  limits: FilesYaml | undefined,
): Promise<void> {
  const ids = target.kind === 'send' ? (target.files ?? []) : [];
  if (ids.length === 0) return;
  assertSupports(endpoint.type, 'attach');
  const ofEndpoint = fileLimitsOf(endpoint.name, limits);
  const { isDisabled, files, totalBytes } = ofEndpoint;
  if (isDisabled) refuse({ type: 'conflict', text: `${endpoint.name} takes no files` });
  if (ids.length > files)
    refuse({ type: 'invalid_input', text: `You can only upload up to ${files} files at a time.` });
  const attached = await readAttachments(query, userId, ids);
  for (const file of attached) assertTaken(file, endpoint, ofEndpoint);
  const bytes = attached.reduce((sum, file) => sum + (file.bytes ?? 0), 0);
  if (bytes <= totalBytes) return;
  const megabytes = Math.floor(totalBytes / MEGABYTE);
  refuse({ type: 'invalid_input', text: `The total size of the files cannot exceed ${megabytes} MB.` });
}

/** A file may have been uploaded for another endpoint. @throws Refusal `invalid_input` */
function assertTaken(
  { name, mime = UNKNOWN_TYPE, bytes = 0 }: Attachment,
  endpoint: Endpoint,
  { accepts, fileBytes }: FileLimits,
): void {
  const isTaken = isImageType(mime) ? IMAGE_TYPES.some(accepts) : accepts(mime);
  const called = name ?? 'This file';
  if (!isTaken) refuse({ type: 'invalid_input', text: `${called} is of a type that ${endpoint.name} does not take.` });
  if (bytes <= fileBytes) return;
  const megabytes = Number((fileBytes / MEGABYTE).toFixed(2));
  refuse({ type: 'invalid_input', text: `${called} is larger than the ${megabytes} MB that ${endpoint.name} takes.` });
}
