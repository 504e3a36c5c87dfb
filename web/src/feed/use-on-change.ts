import { useEffect, useEffectEvent } from 'react';
import { onChange } from './change-feed.ts';

/** Acts when something of this kind has changed in any browser of the person, and when changes may have been missed. */
export function useOnChange(kind: 'settings' | 'folders', act: () => void): void {
  const run = useEffectEvent(act);
  useEffect(
    () =>
      onChange(({ type }) => {
        if (type === kind || type === 'reset') run();
      }),
    [kind],
  );
}
