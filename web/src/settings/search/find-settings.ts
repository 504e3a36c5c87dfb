// The search of the settings dialog: each setting knows whether the query names it, and counts itself in its tab.
import { createContext, use, useEffect } from 'react';

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
  const isFound = search === null || matches(words, search.query);
  const count = search?.count;
  useEffect(() => {
    if (!isFound || !count) return;
    count(1);
    return () => count(-1);
  }, [isFound, count]);
  return isFound;
}

/** Whether the text has each word of the query, or a beginning or part of it; case and accents do not count. */
export function matches(text: string, query: string): boolean {
  const folded = fold(text);
  return fold(query)
    .split(/\s+/)
    .every((word) => folded.includes(word));
}

function fold(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
