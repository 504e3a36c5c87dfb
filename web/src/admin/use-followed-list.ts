import { useEffect } from 'react';
import { onChange } from '../feed/change-feed.ts';
import { trpc } from '../trpc.ts';

/** The list of providers or of tools is read again when another administrator has changed something of them. */
export function useFollowedList(of: 'providers' | 'tools'): void {
  const utils = trpc.useUtils();
  useEffect(
    () =>
      onChange(({ type }) => {
        if (type === 'endpoints') void utils.admin[of].list.invalidate();
      }),
    [utils, of],
  );
}
