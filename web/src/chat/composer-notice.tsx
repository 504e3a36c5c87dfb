import { IconRefresh } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './composer.module.css';
import type { Chat } from './use-chat.ts';

/** Why one cannot write, and what to do about it; else how to break a line. */
export function ComposerNotice({ chat }: { chat: Chat }) {
  const { t } = useTranslation();
  const { blockedBy, addressee, actions } = chat;
  if (addressee === null) return <p className={classes.notice}>{t('com_chat_no_endpoint')}</p>;
  if (!blockedBy) return <p className={classes.hint}>{t('com_chat_hint')}</p>;
  return (
    <div className={classes.notice}>
      <p>{blockedBy.reason ? t('com_chat_blocked_failed') : t('com_chat_blocked_incomplete')}</p>
      <button type="button" className={classes.regenerate} onClick={() => actions.regenerate(blockedBy)}>
        <IconRefresh aria-hidden />
        {t('com_ui_regenerate')}
      </button>
    </div>
  );
}
