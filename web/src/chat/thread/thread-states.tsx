import { useTranslation } from 'react-i18next';
import { NewChatLink } from '../../slots/new-chat-link.tsx';
import { buttonLook } from '../../ui/button-look.ts';
import { Button } from '../../ui/button.tsx';
import { LazyBoundary } from '../../ui/lazy/lazy-boundary.tsx';
import { lazyScreen } from '../../ui/lazy/lazy-screen.tsx';
import classes from './thread-states.module.css';

// Ahead of need: what fails to load may be all that comes later, too.
const errorText = lazyScreen(async () => (await import('../../errors/error-text.tsx')).ErrorText, 'ahead');

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

export function MissingConversation() {
  const { t } = useTranslation();
  return (
    <div className={classes.notice}>
      <h1 className={classes.title}>{t('com_chat_missing')}</h1>
      <p className={classes.hint}>{t('com_chat_missing_hint')}</p>
      <NewChatLink className={buttonLook({}, classes.action)}>{t('com_nav_new_chat')}</NewChatLink>
    </div>
  );
}

export function LoadFailed({ error, retry }: { error: unknown; retry: () => void }) {
  const { t } = useTranslation();
  return (
    <div className={classes.notice} role="alert">
      <h1 className={classes.title}>{t('com_chat_load_failed')}</h1>
      <p className={classes.hint}>
        <LazyBoundary isQuiet>
          <errorText.Screen error={error} />
        </LazyBoundary>
      </p>
      <Button className={classes.action} onClick={retry}>
        {t('com_chat_try_again')}
      </Button>
    </div>
  );
}
