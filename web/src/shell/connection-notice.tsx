import { IconCloudOff } from '@tabler/icons-react';
import { useAtomValue } from 'jotai';
import { useTranslation } from 'react-i18next';
import { connection, type Connection } from '../trpc.ts';
import classes from './connection-notice.module.css';

/** Says that what one sees may be old, without moving it. Shown after a moment, since most interruptions are shorter. */
export function ConnectionNotice() {
  const { t } = useTranslation();
  const state = useAtomValue(connection);
  const sentences: Record<Connection, string | null> = {
    online: null,
    reconnecting: t('com_nav_reconnecting'),
    offline: t('com_nav_offline'),
  };
  return (
    <div role="status" className={classes.place}>
      {sentences[state] && (
        <span key={state} className={classes.notice}>
          <IconCloudOff aria-hidden />
          {sentences[state]}
        </span>
      )}
    </div>
  );
}
