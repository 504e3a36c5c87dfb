import { useEffect } from 'react';
import { trpc } from '../../trpc.ts';
import { onChange, onFeedStart } from '../../feed/change-feed.ts';
import { invalidateOffer } from './invalidate-offer.ts';

/** Milliseconds; changes closer together cause one refetch: an import saves preset after preset. */
const BATCH_MS = 150;

const LISTS = ['presets', 'keys', 'assistants', 'folders', 'queue', 'schedules'] as const;
const REREAD = [...LISTS, 'endpoints'] as const;
type Reread = (typeof REREAD)[number];

/**
 * Refetches presets, keys, assistants, folders and sets of files, questions that wait, schedules and what is offered when
 * they change elsewhere, and when changes of them may have been missed.
 */
export function useRefetchOnChange(): void {
  const utils = trpc.useUtils();
  useEffect(() => {
    const timers = new Map<string, ReturnType<typeof setTimeout>>();
    const ends = [
      onChange(({ type }) => {
        if (isReread(type)) soon(type);
        else if (type === 'reset') REREAD.forEach(soon);
      }),
      // Pages read their lists while the feed is still being opened.
      onFeedStart(() => LISTS.forEach(reread)),
    ];
    return () => {
      ends.forEach((end) => end());
      timers.forEach(clearTimeout);
    };

    function soon(type: Reread): void {
      if (!timers.has(type))
        timers.set(
          type,
          setTimeout(() => reread(type), BATCH_MS),
        );
    }

    function reread(type: Reread): void {
      timers.delete(type);
      if (type === 'endpoints') invalidateOffer(utils);
      else void readAgain(utils[type].list);
      if (type === 'folders') void readAgain(utils.files.sets.list);
    }
  }, [utils]);
}

interface List {
  getData(): unknown;
  invalidate(): Promise<void>;
}

/** A first reading that is under way goes on when it is invalidated, and may have begun before the change. */
async function readAgain(list: List): Promise<void> {
  const isFirst = list.getData() === undefined;
  await list.invalidate();
  if (isFirst) await list.invalidate();
}

function isReread(type: string): type is Reread {
  return REREAD.some((known) => known === type);
}
