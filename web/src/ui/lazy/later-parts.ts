import { useEffect, useState } from 'react';
import { loadSentences } from '../../i18n.ts';

/** Milliseconds after the first render: a user who came to type has started by then. */
const LOAD_AFTER_MS = 500;
/** Milliseconds between two tries to load them. */
const RETRY_AFTER_MS = 10_000;

/**
 * The parts of the first screen that load, as one, once the screen is usable; tries again while they cannot be loaded.
 * The hook returns null until then; who needs a part at once does not wait.
 */
export function laterParts<Parts>(importParts: () => Promise<Parts>): (isNeeded?: boolean) => Parts | null {
  let loaded: Parts | null = null;

  return function useLaterParts(isNeeded = false): Parts | null {
    const [parts, setParts] = useState(loaded);
    useEffect(() => {
      if (parts) return;
      let isGone = false;
      let timer = setTimeout(load, isNeeded ? 0 : LOAD_AFTER_MS);
      function load(): void {
        Promise.all([importParts(), loadSentences()]).then(
          ([arrived]) => {
            loaded = arrived;
            if (!isGone) setParts(arrived);
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
