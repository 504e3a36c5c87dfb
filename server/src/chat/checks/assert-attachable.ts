import type { Query } from '@parley/db/client';
import { MEGABYTE, whyNotTaken } from '@parley/schema/files/file-limits';
import type { Attachment } from '@parley/schema/messages/messages';
import type { Endpoint } from '../../catalog/endpoint.ts';
import { readAttachments } from '../../files/read-attachments.ts';
import { assertSupports } from '../../messages/capabilities.ts';
import { refuse } from '../../platform/errors.ts';

/**
 * Checks that the endpoint takes the attachments of a new question: so many of them, of their types and sizes. Those of
 * stored questions are left out instead.
 * @throws Refusal `conflict` or `invalid_input`
 */
export async function assertAttachable(
  query: Query,
  userId: string,
  endpoint: Endpoint,
  ids: readonly string[],
): Promise<void> {
  assertSupports(endpoint.type, 'attach');
  const { isDisabled, files, totalBytes } = endpoint.files;
  if (isDisabled) refuse({ type: 'conflict', text: `${endpoint.name} takes no files` });
  if (ids.length > files)
    refuse({ type: 'invalid_input', text: `You can only upload up to ${files} files at a time.` });
  const attached = await readAttachments(query, userId, ids);
  for (const file of attached) assertTaken(file, endpoint);
  const bytes = attached.reduce((sum, file) => sum + (file.bytes ?? 0), 0);
  if (bytes <= totalBytes) return;
  const megabytes = Math.floor(totalBytes / MEGABYTE);
  refuse({ type: 'invalid_input', text: `The total size of the files cannot exceed ${megabytes} MB.` });
}

/** A file may have been uploaded for another endpoint. @throws Refusal `invalid_input` */
function assertTaken(file: Attachment, endpoint: Endpoint): void {
  const why = whyNotTaken(endpoint.files, file);
  if (why === null) return;
  const called = file.name ?? 'This file';
  if (why === 'type')
    refuse({ type: 'invalid_input', text: `${called} is of a type that ${endpoint.name} does not take.` });
  const megabytes = Number((endpoint.files.fileBytes / MEGABYTE).toFixed(2));
  refuse({ type: 'invalid_input', text: `${called} is larger than the ${megabytes} MB that ${endpoint.name} takes.` });
}
