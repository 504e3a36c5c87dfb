// A search is an address: it survives a reload and the way back.
import { cutQuery } from '@parley/schema/cut-query';
import { useRoute, useSearch } from 'wouter';

export const SEARCH_PATH = '/c/search';

export function searchAddress(query: string): string {
  return query === '' ? SEARCH_PATH : `${SEARCH_PATH}?q=${encodeURIComponent(cutQuery(query).toWellFormed())}`;
}

/** The link to a message, which the thread goes to on its branch. */
export function messageAddress(conversationId: string, messageId: string): string {
  return `/c/${conversationId}?message=${messageId}`;
}

/** What is being searched for; null outside the search view. */
export function useSearchedFor(): string | null {
  const [isSearch] = useRoute(SEARCH_PATH);
  const search = useSearch();
  return isSearch ? cutQuery(new URLSearchParams(search).get('q') ?? '') : null;
}
