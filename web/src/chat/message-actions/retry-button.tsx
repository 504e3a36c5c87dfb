import { IconRefresh } from '@tabler/icons-react';
import type { Message } from '@parley/schema/messages/messages';
import { useMemo, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDate } from '../../lib/format-date.ts';
import { Button, type ButtonProps } from '../../ui/button.tsx';
import classes from '../message/message.module.css';
import { formatCountdown, retryTime } from './retry-wait.ts';

interface RetryButtonProps {
  message: Message;
  onRetry: () => void;
  variant?: ButtonProps['variant'];
}

/** Above this many seconds, shows the time of day instead of a countdown. */
const COUNTED_MAX = 3600;

/** Retries. While a retry would be refused, it shows how long to wait. */
export function RetryButton({ message, onRetry, variant }: RetryButtonProps) {
  const { t, i18n } = useTranslation();
  const { reason, updatedAt } = message;
  // Computed once: an inaccurate clock would postpone it again and again.
  const end = useMemo(() => retryTime({ reason, updatedAt }), [reason, updatedAt]);
  const seconds = useSecondsUntil(end);
  return (
    <Button size="sm" variant={variant} className={classes.retry} onClick={onRetry} disabled={seconds > 0}>
      <IconRefresh aria-hidden />
      {label()}
    </Button>
  );

  function label(): string {
    if (end === null || seconds === 0) return t('com_chat_try_again');
    if (seconds <= COUNTED_MAX) return t('com_chat_try_again_in', { 0: formatCountdown(seconds, i18n.language) });
    return t('com_chat_try_again_from', { 0: formatDate(new Date(end).toISOString(), i18n.language) });
  }
}

/** Seconds until `end` by the local clock, counting down; 0 if it has passed or is null. */
function useSecondsUntil(end: number | null): number {
  const [now, setNow] = useState(() => Date.now());
  const seconds = end === null ? 0 : Math.max(0, Math.ceil((end - now) / 1000));
  const isWaiting = seconds > 0;
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isWaiting]);
  return seconds;
}
