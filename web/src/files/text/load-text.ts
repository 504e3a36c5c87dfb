// The text of a file of plain text: its bytes, else what the server has read in them.
import type { FileText } from '@parley/schema/files/documents';
import { api } from '../../trpc.ts';
import { requestFile } from '../download-file.ts';
import type { ViewedFile } from '../../dialogs/viewed-file.ts';
import { decodeText } from './decode-text.ts';

/** More would take the page's memory for nothing: nobody reads it here. */
export const TEXT_BYTES_MAX = 12 * 1024 * 1024;

/** @throws Error where the file cannot be had, or refusals of the server */
export async function loadText(file: ViewedFile, signal: AbortSignal): Promise<string> {
  const response = await requestFile(file, 'GET', signal);
  const bytes = await response.arrayBuffer();
  const text = decodeText(bytes);
  if (text !== null) return text;
  // The server tells encodings from each other; visitors of a shared conversation have none of it.
  if (!isOwn(file)) return new TextDecoder('windows-1252').decode(bytes);
  const sections = [];
  let part: FileText | null = null;
  do {
    part = await api.files.text.query({ fileId: file.fileId, cursor: part?.next ?? null }, { signal });
    sections.push(...part.sections);
  } while (part.next !== null);
  return sections.map(({ text: own }) => own).join('\n');
}

/** Whether it is a file of the person who looks at it, not one of a shared conversation. */
export function isOwn({ path }: Pick<ViewedFile, 'path'>): boolean {
  return !path.startsWith('/api/share/');
}
