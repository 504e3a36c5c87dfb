import { useEffect } from 'react';
import { trpc } from '../../trpc.ts';
import { onChange } from '../../feed/change-feed.ts';

/** Milliseconds; changes closer together cause one refetch: an import saves preset after preset. */
const BATCH_MS = 150;

const REREAD = ['presets', 'keys', 'assistants', 'folders', 'queue', 'endpoints'] as const;

/** Refetches presets, keys, assistants, folders, questions that wait and what is offered when they change elsewhere. */
export function useRefetchOnChange(): void {
  const utils = trpc.useUtils();
  useEffect(() => {
    const timers = new Map<string, ReturnType<typeof setTimeout>>();
    const stop = onChange(({ type }) => {
      if (!isReread(type) || timers.has(type)) return;
      const reread = () => {
        timers.delete(type);
        void utils[type].list.invalidate();
        if (type === 'endpoints') invalidateOffer(utils);
      };
      timers.set(type, setTimeout(reread, BATCH_MS));
    });
    return () => {
      stop();
      timers.forEach(clearTimeout);
    };
  }, [utils]);
}

/** The models of the endpoints, and what is known of them. */
function invalidateOffer({ endpoints, presets }: ReturnType<typeof trpc.useUtils>): void {
  for (const query of [endpoints.models, endpoints.windows, endpoints.readiness, presets.specs])
    void query.invalidate();
}

function isReread(type: string): type is (typeof REREAD)[number] {
  return REREAD.some((known) => known === type);
}
