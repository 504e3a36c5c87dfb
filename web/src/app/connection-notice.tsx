import { useAtomValue } from 'jotai';
import { useTranslation } from 'react-i18next';
import { connection, type Connection } from '../trpc.ts';
import classes from './connection-notice.module.css';

/**
 * Says that the data on screen may be stale, without a layout shift. Appears after a delay: most interruptions are
 * shorter.
 */
export function ConnectionNotice() {
  const { t } = useTranslation();
  const state = useAtomValue(connection);
  const sentences: Record<Connection, string | null> = {
    online: null,
    reconnecting: t('com_nav_reconnecting'),
    offline: t('com_nav_offline'),
  };
  return (
    <div role="status" className={classes.floating}>
      {sentences[state] && (
        <span key={state} className={classes.notice}>
          {sentences[state]}
        </span>
      )}
    </div>
  );
}
