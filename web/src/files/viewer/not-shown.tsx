import { IconDownload, IconFileOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ViewedFile } from '../../dialogs/viewed-file.ts';
import { Button } from '../../ui/button.tsx';
import { downloadFile } from '../download-file.ts';
import classes from './file-view.module.css';

interface NotShownProps {
  file: ViewedFile;
  /** A sentence. */
  reason: string;
  onRetry?: () => void;
}

/** Says why a file is not shown, with what can be done instead. */
export function NotShown({ file, reason, onRetry }: NotShownProps) {
  const { t } = useTranslation();
  return (
    // It takes the focus of what it stands for.
    <div className={classes.notShown} role="status" tabIndex={-1} data-file-body>
      <IconFileOff aria-hidden />
      <p>{reason}</p>
      <span className={classes.choices}>
        {onRetry && <Button onClick={onRetry}>{t('com_ui_retry')}</Button>}
        <Button onClick={() => void downloadFile(file, file.name)}>
          <IconDownload aria-hidden />
          {t('com_files_download')}
        </Button>
      </span>
    </div>
  );
}
