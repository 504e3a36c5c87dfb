import { useTranslation } from 'react-i18next';
import { focusIfLost } from '../../lib/focus-if-lost.ts';
import { BusyButton } from '../../ui/busy-button.tsx';
import classes from './files-failure.module.css';

/** The files could not be read. It stays while they are read again, so that its button keeps the focus. */
export function FilesFailure({ isTrying, onRetry }: { isTrying: boolean; onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <div className={classes.empty} role="alert">
      <p>{t('com_files_load_failed')}</p>
      <BusyButton ref={focusIfLost} data-autofocus size="sm" isBusy={isTrying} onClick={onRetry}>
        {t('com_ui_retry')}
      </BusyButton>
    </div>
  );
}
