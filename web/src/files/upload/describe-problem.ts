import type { FileProblem } from '@parley/schema/files/file-problem';
import type { TFunction } from 'i18next';
import { endpointLabel } from '../../catalog/choose-model.ts';
import { describeReason } from '../../errors/describe-reason.ts';
import { i18n } from '../../i18n.ts';
import { formatBytes, MEGABYTE } from '../format-bytes.ts';
import { UploadError } from './upload-file.ts';

/** The sentence for a file that is refused; empty for a problem of a later server. */
export function describeProblem(problem: FileProblem, t: TFunction): string {
  switch (problem.type) {
    case 'too_many':
      return t('com_files_over_limit', { 0: problem.most });
    case 'duplicate':
      return t('com_files_duplicate');
    case 'unknown_type':
      return t('com_files_unknown_type', { 0: problem.name });
    case 'unsupported_type':
      return t('com_files_unsupported_type', { 0: problem.mime });
    case 'empty':
      return t('com_files_no_bytes', { 0: problem.name });
    case 'save_as':
      return t('com_files_save_as', { 0: problem.from, 1: problem.to });
    case 'too_large':
      return t('com_files_too_large', { 0: problem.megabytes });
    case 'too_large_together':
      return t('com_files_too_large_together', { 0: problem.megabytes });
    case 'not_here':
      return t('com_files_not_here', { 0: endpointLabel(problem.endpoint) });
    case 'image_unreadable':
    case 'image_too_large':
    case 'image_too_slow':
      return t(`com_files_${problem.type}`);
    case 'no_room':
      return t('com_files_no_room_for', { 0: formatBytes(problem.megabytes * MEGABYTE, i18n.language) });
    case 'disk_full':
      return t('com_error_storage_full');
    case 'too_often':
      return describeReason({ type: 'too_many_attempts', retryAfterSeconds: problem.retryAfterSeconds }, t);
    case 'busy':
      return t('com_files_busy');
    case 'infected':
      return t('com_files_infected');
    case 'not_scanned':
      return t('com_files_not_scanned');
    default:
      problem satisfies never;
      return '';
  }
}

/** The sentence for a failed upload: in the language of the page where the server says what is wrong. */
export function describeUploadError(error: unknown, t: TFunction): string {
  const { problem, sentence } = error instanceof UploadError ? error : { problem: null, sentence: null };
  if (problem === null && sentence === null && !navigator.onLine) return t('com_files_offline');
  return (problem && describeProblem(problem, t)) || sentence || t('com_files_upload_failed');
}
