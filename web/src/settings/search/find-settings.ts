// The search of the settings dialog: each setting knows whether the query names it, and counts itself in its tab.
import { createContext, use, useEffect } from 'react';
import { hasWords } from '../../ui/fields/has-words.ts';

interface SettingsSearch {
  query: string;
  /** A setting of the tab appears (1) or disappears (-1). */
  count: (change: 1 | -1) => void;
}

/** Null: no search, all settings are shown. */
export const SettingsSearchContext = createContext<SettingsSearch | null>(null);

/** `words` are the name and the description. */
export function useIsFound(words: string): boolean {
  const search = use(SettingsSearchContext);
  const isFound = search === null || hasWords(words, search.query);
  const count = search?.count;
  useEffect(() => {
    if (!isFound || !count) return;
    count(1);
    return () => count(-1);
  }, [isFound, count]);
  return isFound;
}
