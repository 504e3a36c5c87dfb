import type { NamedOnly } from '@parley/schema/files/documents';
import type { ContextFile } from '@parley/schema/messages/messages';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { describeDocumentReason, hasSlides } from '../../files/document-status.ts';
import { i18n } from '../../i18n.ts';
import { formatNumber } from '../../lib/format-number.ts';
import classes from './shown-files.module.css';

/** How the model was shown the attached files: whole, by passages, or by their names alone and why. */
export function ShownFiles({ files }: { files: readonly ContextFile[] }) {
  const { t } = useTranslation();
  return (
    <section className={classes.files}>
      <h3 className={classes.title}>{t('com_context_files')}</h3>
      <ul className={classes.list}>
        {files.map((file) => (
          <li key={file.fileId}>
            <span className={classes.name} dir="auto">
              {file.name}
            </span>
            <span className={classes.description}>{describeShown(file, t)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function describeShown(file: ContextFile, t: TFunction): string {
  if (file.shown === 'whole') return t('com_context_file_whole');
  if (file.shown === 'name') return `${t('com_context_file_name')} · ${describeReason(file.why, t)}`;
  if (file.passages.length === 0) return t('com_context_file_nothing');
  const pages = [...new Set(file.passages.flatMap(({ page }) => page ?? []))].sort((a, b) => a - b);
  const count = t('com_context_file_passages', { 0: file.passages.length });
  if (pages.length === 0) return count;
  const numbers = pages.map((page) => formatNumber(page, i18n.language)).join(', ');
  return `${count} · ${t(hasSlides(file.name) ? 'com_context_file_slides' : 'com_context_file_pages', { 0: numbers })}`;
}

function describeReason(why: NamedOnly, t: TFunction): string {
  if (why === 'indexing') return t('com_context_file_indexing');
  if (why === 'not_taken') return t('com_context_file_not_taken');
  return why === 'gone' ? t('com_context_file_gone') : describeDocumentReason(why, t);
}
