import { useTranslation } from 'react-i18next';
import { formatDateTime } from '../../lib/format-date.ts';
import { relativeTime } from './relative-time.ts';
import { useNow } from './use-now.ts';

/** How long ago a message was written; the exact time is its tooltip. */
export function MessageTime({ iso, className }: { iso: string; className?: string | undefined }) {
  const { i18n } = useTranslation();
  const now = useNow();
  return (
    <time className={className} dateTime={iso} data-tooltip={formatDateTime(iso, i18n.language)}>
      {relativeTime(iso, i18n.language, now)}
    </time>
  );
}
