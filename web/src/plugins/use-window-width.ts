import { useSyncExternalStore } from 'react';

/** The width of the window in CSS pixels. */
export function useWindowWidth(): number {
  return useSyncExternalStore(followResizes, () => window.innerWidth);
}

function followResizes(onChange: () => void): () => void {
  window.addEventListener('resize', onChange);
  return () => window.removeEventListener('resize', onChange);
}
