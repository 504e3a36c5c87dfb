import '../../locales/load/failures.ts';
import '../../locales/load/files.ts';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import classes from './files-table.module.css';

/** The files could not be read. */
export function FilesFailure({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <div className={classes.empty} role="alert">
      <p>{t('com_files_load_failed')}</p>
      <Button size="sm" onClick={onRetry}>
        {t('com_ui_retry')}
      </Button>
    </div>
  );
}
