import { useTranslation } from 'react-i18next';
import { memo, useSyncExternalStore } from 'react';
import { formatDateTime } from '../../lib/format-date.ts';
import { relativeTime } from './relative-time.ts';

interface MessageTimeProps {
  iso: string;
  className?: string | undefined;
}

/** How long ago a message was written; the exact time is its tooltip. Memoized: a growing answer has one, too. */
export const MessageTime = memo(function MessageTime({ iso, className }: MessageTimeProps) {
  const { i18n } = useTranslation();
  const now = useNow();
  return (
    <time className={className} dateTime={iso} data-tooltip={formatDateTime(iso, i18n.language)}>
      {relativeTime(iso, i18n.language, now)}
    </time>
  );
});

/** How often relative times are written anew, in milliseconds. */
const TICK_MS = 30_000;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = Date.now();

/** The current time, at most half a minute old. All users share one timer. */
function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    tick();
    timer = setInterval(tick, TICK_MS);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}
