import { useEffect, useSyncExternalStore } from 'react';
import { loadSentences } from '../../i18n.ts';

/** Milliseconds after the first render: a user who came to type has started by then. */
const LOAD_AFTER_MS = 500;
/** Milliseconds between two tries to load them. */
const RETRY_AFTER_MS = 10_000;

/**
 * The parts of the first screen that load, as one, once the screen is usable; tries again while they cannot be loaded.
 * The hook returns null until then. All wait for the first that has them: who needs a part at once does not wait.
 */
export function laterParts<Parts>(importParts: () => Promise<Parts>): (isNeeded?: boolean) => Parts | null {
  let loaded: Parts | null = null;
  const listeners = new Set<() => void>();
  function subscribe(onLoad: () => void): () => void {
    listeners.add(onLoad);
    return () => listeners.delete(onLoad);
  }

  return function useLaterParts(isNeeded = false): Parts | null {
    const parts = useSyncExternalStore(subscribe, () => loaded);
    useEffect(() => {
      if (parts) return;
      let isGone = false;
      let timer = setTimeout(load, isNeeded ? 0 : LOAD_AFTER_MS);
      function load(): void {
        Promise.all([importParts(), loadSentences()]).then(
          ([arrived]) => {
            loaded = arrived;
            for (const tell of listeners) tell();
          },
          () => {
            if (!isGone) timer = setTimeout(load, RETRY_AFTER_MS);
          },
        );
      }
      return () => {
        isGone = true;
        clearTimeout(timer);
      };
    }, [parts, isNeeded]);
    return parts;
  };
}
