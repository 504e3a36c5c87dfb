// Tests of this room: tests/unit/web/files, tests/e2e/files.

// What is known of the text of a file, in words.
import type { DocumentReason, DocumentState, DocumentStatus } from '@parley/schema/files/documents';
import type { ParseKeys, TFunction } from 'i18next';
import { isMedia } from './viewer/file-kind.ts';

const REASONS: Record<DocumentReason, ParseKeys> = {
  unsupported: 'com_files_document_unsupported',
  no_text: 'com_files_document_no_text',
  encrypted: 'com_files_document_encrypted',
  damaged: 'com_files_document_damaged',
  too_large: 'com_files_document_too_large',
  timed_out: 'com_files_document_timed_out',
  out_of_memory: 'com_files_document_too_large',
  error: 'com_files_document_error',
};

const STATES: Record<Exclude<DocumentState, 'failed' | 'ready'>, ParseKeys> = {
  queued: 'com_files_document_queued',
  reading: 'com_files_document_reading',
  embedding: 'com_files_document_embedding',
};

/** What there is to tell of the text of a file, by its name; null where it goes without saying. */
export function describeDocument(name: string, document: DocumentStatus, t: TFunction): string | null {
  const { state, pages, reason } = document;
  if (state === 'queued' && reason === 'timed_out') return t('com_files_document_slow');
  if (state === 'failed') return describeDocumentReason(reason ?? 'error', t);
  if (state !== 'ready') return t(STATES[state]);
  if (document.encoding !== undefined) return t('com_files_document_guessed', { 0: document.encoding });
  if (pages === null) return null;
  return t(hasSlides(name) ? 'com_files_document_slides' : 'com_files_document_pages', { 0: pages });
}

/** The same of a file that is attached, before it is sent: sound and film are never read. */
export function describeFile(
  { name, mime }: { name: string; mime: string },
  document: DocumentStatus | null,
  t: TFunction,
): string | null {
  if (isMedia(mime)) return t('com_files_media');
  return document && describeDocument(name, document, t);
}

const AGAIN: readonly DocumentReason[] = ['timed_out', 'out_of_memory', 'unsupported', 'error'];

/** Whether another try may end otherwise: this server may have learned to read it, or be less busy. */
export function canReadAgain(document: DocumentStatus | null): boolean {
  return document?.state === 'failed' && AGAIN.includes(document.reason ?? 'error');
}

export function describeDocumentReason(reason: DocumentReason, t: TFunction): string {
  return t(REASONS[reason]);
}

/** Whether the pages of a file are slides. */
export function hasSlides(name: string): boolean {
  return /\.(pptx|odp)$/i.test(name);
}

/** Whether the server is still at work on it. */
export function isUnfinished(document: DocumentStatus | null): boolean {
  return document !== null && document.state !== 'ready' && document.state !== 'failed';
}
