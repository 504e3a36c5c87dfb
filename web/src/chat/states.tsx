import '@mantine/core/styles/Skeleton.css';
import { Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { describeError } from '../lib/describe-error.ts';
import { NewChatLink } from '../shell/sidebar/new-chat-link.tsx';
import classes from './states.module.css';

/** Where the messages will be. */
export function LoadingThread() {
  const { t } = useTranslation();
  return (
    <div className={classes.loading} role="status" aria-label={t('com_chat_loading')}>
      <Skeleton className={classes.bubble} radius="lg" />
      <div className={classes.lines}>
        <Skeleton className={classes.line} />
        <Skeleton className={classes.line} />
        <Skeleton className={classes.line} />
        <Skeleton className={classes.shortLine} />
      </div>
    </div>
  );
}

export function MissingConversation() {
  const { t } = useTranslation();
  return (
    <div className={classes.notice}>
      <h1 className={classes.title}>{t('com_chat_missing')}</h1>
      <p className={classes.hint}>{t('com_chat_missing_hint')}</p>
      <NewChatLink className={classes.action}>{t('com_nav_new_chat')}</NewChatLink>
    </div>
  );
}

export function LoadFailed({ error, retry }: { error: unknown; retry: () => void }) {
  const { t } = useTranslation();
  return (
    <div className={classes.notice} role="alert">
      <h1 className={classes.title}>{t('com_chat_load_failed')}</h1>
      <p className={classes.hint}>{describeError(error, t)}</p>
      <button type="button" className={classes.action} onClick={retry}>
        {t('com_chat_try_again')}
      </button>
    </div>
  );
}
