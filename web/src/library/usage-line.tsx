import { useTranslation } from 'react-i18next';
import { useFileUsage } from '../files/files-api.ts';
import classes from './files-table.module.css';
import { formatBytes } from '../files/format-bytes.ts';

/** How much of the user's room is taken, and how the text of files is searched where that is by words alone. */
export function UsageLine() {
  const { t, i18n } = useTranslation();
  const { data } = useFileUsage();
  if (!data) return null;
  const used = formatBytes(data.bytes, i18n.language);
  const most = formatBytes(data.quotaBytes, i18n.language);
  return (
    <>
      <p className={classes.usage}>{t('com_files_used', { 0: used, 1: most })}</p>
      {!data.isFoundByMeaning && <p className={classes.usage}>{t('com_files_by_their_words')}</p>}
    </>
  );
}
