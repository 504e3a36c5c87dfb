import '../../locales/load/files.ts';
import type { TFunction } from 'i18next';
import type { FileProblem } from './check-files.ts';

/** The sentence for a file that is refused before its upload. */
export function describeProblem(problem: FileProblem, t: TFunction): string {
  switch (problem.type) {
    case 'too_many':
      return t('com_files_over_limit', { 0: problem.most });
    case 'unknown_type':
      return t('com_files_unknown_type', { 0: problem.name });
    case 'unsupported_type':
      return t('com_files_unsupported_type', { 0: problem.mime });
    case 'too_large':
      return t('com_files_too_large', { 0: problem.megabytes });
    case 'too_large_together':
      return t('com_files_too_large_together', { 0: problem.megabytes });
    case 'duplicate':
      return t('com_files_duplicate');
    default:
      return problem satisfies never;
  }
}
