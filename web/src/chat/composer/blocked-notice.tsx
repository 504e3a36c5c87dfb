import type { Message } from '@parley/schema/messages/messages';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import classes from './composer.module.css';

interface BlockedNoticeProps {
  /** The reply that failed or broke off. */
  message: Message;
  /** Absent when there is nothing to send. */
  onSendAnyway: (() => void) | undefined;
}

/** Says that the last reply is not whole; the remedy is at that reply, or one sends nevertheless. */
export function BlockedNotice({ message, onSendAnyway }: BlockedNoticeProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.notice}>
      <p role="status">{message.reason ? t('com_chat_blocked_failed') : t('com_chat_blocked_incomplete')}</p>
      {onSendAnyway && (
        <Button size="sm" data-testid="send-anyway" onClick={onSendAnyway}>
          {t('com_chat_send_anyway')}
        </Button>
      )}
    </div>
  );
}
