// What stands in place of a thread that is not there.
import { useTranslation } from 'react-i18next';
import { ErrorText } from '../../errors/error-text.tsx';
import { NewChatLink } from '../../slots/new-chat-link.tsx';
import { buttonClasses } from '../../ui/button-classes.ts';
import { Button } from '../../ui/button.tsx';
import classes from './thread-states.module.css';

export function MissingConversation() {
  const { t } = useTranslation();
  return (
    <div className={classes.notice}>
      <h1 className={classes.title}>{t('com_chat_missing')}</h1>
      <p className={classes.hint}>{t('com_chat_missing_hint')}</p>
      <NewChatLink className={buttonClasses({}, classes.action)}>{t('com_nav_new_chat')}</NewChatLink>
    </div>
  );
}

export function LoadFailed({ error, retry }: { error: unknown; retry: () => void }) {
  const { t } = useTranslation();
  return (
    <div className={classes.notice} role="alert">
      <h1 className={classes.title}>{t('com_chat_load_failed')}</h1>
      <p className={classes.hint}>
        <ErrorText error={error} />
      </p>
      <Button className={classes.action} onClick={retry}>
        {t('com_chat_try_again')}
      </Button>
    </div>
  );
}
