import { useEffect } from 'react';
import { trpc } from '../../trpc.ts';
import { onChange } from './changes.ts';

/** Hints that come closer together than this, in milliseconds, cause one reading: an import saves preset after preset. */
const GATHER = 150;

/** Reads presets and keys again when they have changed elsewhere. */
export function useReread(): void {
  const utils = trpc.useUtils();
  useEffect(() => {
    const timers = new Map<string, ReturnType<typeof setTimeout>>();
    const stop = onChange(({ type }) => {
      if ((type !== 'presets' && type !== 'keys') || timers.has(type)) return;
      const reread = () => {
        timers.delete(type);
        void utils[type].list.invalidate();
      };
      timers.set(type, setTimeout(reread, GATHER));
    });
    return () => {
      stop();
      timers.forEach(clearTimeout);
    };
  }, [utils]);
}
