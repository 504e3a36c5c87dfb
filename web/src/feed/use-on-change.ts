import { useEffect, useEffectEvent } from 'react';
import { onChange, onFeedStart } from './change-feed.ts';

/** Acts when something of this kind has changed in any browser of the person, and when changes may have been missed. */
export function useOnChange(kind: 'settings' | 'folders' | 'endpoints', act: () => void): void {
  const run = useEffectEvent(act);
  useEffect(() => {
    const ends = [
      onChange(({ type }) => {
        if (type === kind || type === 'reset') run();
      }),
      // Pages read while the feed is still being opened.
      onFeedStart(run),
    ];
    return () => ends.forEach((end) => end());
  }, [kind]);
}
