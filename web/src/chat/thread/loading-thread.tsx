import { useTranslation } from 'react-i18next';
import classes from './loading-thread.module.css';

/** The placeholder of a loading thread. */
export function LoadingThread() {
  const { t } = useTranslation();
  return (
    <div className={classes.loading} role="status" aria-label={t('com_chat_loading')}>
      <div className={classes.bubble} />
      <div className={classes.lines}>
        <div className={classes.line} />
        <div className={classes.line} />
        <div className={classes.line} />
        <div className={classes.shortLine} />
      </div>
    </div>
  );
}
