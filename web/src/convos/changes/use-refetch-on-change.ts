import { useEffect } from 'react';
import { trpc } from '../../trpc.ts';
import { onChange } from '../../feed/change-feed.ts';
import { invalidateOffer } from './invalidate-offer.ts';

/** Milliseconds; changes closer together cause one refetch: an import saves preset after preset. */
const BATCH_MS = 150;

const REREAD = ['presets', 'keys', 'assistants', 'folders', 'queue', 'schedules', 'endpoints'] as const;

/** Refetches presets, keys, assistants, folders and sets of files, questions that wait and what is offered when they change elsewhere. */
export function useRefetchOnChange(): void {
  const utils = trpc.useUtils();
  useEffect(() => {
    const timers = new Map<string, ReturnType<typeof setTimeout>>();
    const stop = onChange(({ type }) => {
      if (!isReread(type) || timers.has(type)) return;
      const reread = () => {
        timers.delete(type);
        if (type === 'endpoints') invalidateOffer(utils);
        else void utils[type].list.invalidate();
        if (type === 'folders') void utils.files.sets.list.invalidate();
      };
      timers.set(type, setTimeout(reread, BATCH_MS));
    });
    return () => {
      stop();
      timers.forEach(clearTimeout);
    };
  }, [utils]);
}

function isReread(type: string): type is (typeof REREAD)[number] {
  return REREAD.some((known) => known === type);
}
