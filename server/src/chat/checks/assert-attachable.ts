import type { Query } from '@parley/db/client';
import type { AskInput } from '@parley/schema/chat/ask';
import { fileLimitsOf, MEGABYTE, type FilesYaml } from '@parley/schema/files/file-limits';
import type { Endpoint } from '../../catalog/endpoint.ts';
import { readAttachments } from '../../files/read-attachments.ts';
import { assertSupports } from '../../messages/capabilities.ts';
import { refuse } from '../../platform/errors.ts';

/**
 * Checks that the endpoint takes the attachments of a question: so many of them, and of this size in all.
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
  const { isDisabled, files, totalBytes } = fileLimitsOf(endpoint.name, limits);
  if (isDisabled) refuse({ type: 'conflict', text: `${endpoint.name} takes no files` });
  if (ids.length > files)
    refuse({ type: 'invalid_input', text: `You can only upload up to ${files} files at a time.` });
  const attached = await readAttachments(query, userId, ids);
  const bytes = attached.reduce((sum, file) => sum + (file.bytes ?? 0), 0);
  if (bytes <= totalBytes) return;
  const megabytes = Math.floor(totalBytes / MEGABYTE);
  refuse({ type: 'invalid_input', text: `The total size of the files cannot exceed ${megabytes} MB.` });
}
