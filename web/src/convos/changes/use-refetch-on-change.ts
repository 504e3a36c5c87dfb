import { useEffect } from 'react';
import { trpc } from '../../trpc.ts';
import { onChange } from '../../feed/change-feed.ts';

/** Milliseconds; changes closer together cause one refetch: an import saves preset after preset. */
const BATCH_MS = 150;

/** Refetches presets, keys, assistants and questions that wait when they change elsewhere. */
export function useRefetchOnChange(): void {
  const utils = trpc.useUtils();
  useEffect(() => {
    const timers = new Map<string, ReturnType<typeof setTimeout>>();
    const stop = onChange(({ type }) => {
      if ((type !== 'presets' && type !== 'keys' && type !== 'assistants' && type !== 'queue') || timers.has(type))
        return;
      const reread = () => {
        timers.delete(type);
        void utils[type].list.invalidate();
      };
      timers.set(type, setTimeout(reread, BATCH_MS));
    });
    return () => {
      stop();
      timers.forEach(clearTimeout);
    };
  }, [utils]);
}
