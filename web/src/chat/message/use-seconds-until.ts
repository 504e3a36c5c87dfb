import { useEffect, useState } from 'react';

/** Seconds until a time of this machine's clock, counted down; 0 once it is past, or when there is none. */
export function useSecondsUntil(end: number | null): number {
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
