import { IconRefresh } from '@tabler/icons-react';
import type { Message } from '@parley/schema/messages';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { dateOf } from '../../shell/convos/date-of.ts';
import classes from './message.module.css';
import { clockOf, endOfWait } from './retry-wait.ts';
import { useSecondsUntil } from './use-seconds-until.ts';

interface RetryButtonProps {
  message: Message;
  onRetry: () => void;
}

/** Above so many seconds the time of day says more than a countdown. */
const COUNTED_MAX = 3600;

/** Asks again. While that would only be refused again, it says how long it has to wait. */
export function RetryButton({ message, onRetry }: RetryButtonProps) {
  const { t, i18n } = useTranslation();
  const { reason, updatedAt } = message;
  // Once: with a clock that goes wrong it would be put off again and again.
  const end = useMemo(() => endOfWait({ reason, updatedAt }), [reason, updatedAt]);
  const seconds = useSecondsUntil(end);
  return (
    <button type="button" className={classes.retry} onClick={onRetry} disabled={seconds > 0}>
      <IconRefresh aria-hidden />
      {label()}
    </button>
  );

  function label(): string {
    if (end === null || seconds === 0) return t('com_chat_try_again');
    if (seconds <= COUNTED_MAX) return t('com_chat_try_again_in', { 0: clockOf(seconds) });
    return t('com_chat_try_again_from', { 0: dateOf(new Date(end).toISOString(), i18n.language) });
  }
}
