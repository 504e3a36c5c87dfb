import { useTranslation } from 'react-i18next';
import classes from './dialog-loading.module.css';

/** Stands for a dialog whose code is on its way; not seen where that takes a moment only. */
export function DialogLoading() {
  const { t } = useTranslation();
  return (
    <p className={classes.loading} role="status">
      {t('com_ui_loading')}
    </p>
  );
}
