// A search has its own address: it survives a reload and the back button.
import { cutQuery } from '@parley/schema/search/cut-query';
import { useRoute, useSearch } from 'wouter';

export const SEARCH_PATH = '/c/search';

export function searchAddress(query: string): string {
  return query === '' ? SEARCH_PATH : `${SEARCH_PATH}?q=${encodeURIComponent(cutQuery(query).toWellFormed())}`;
}

/** The link to a message; the thread switches to its branch and scrolls to it. */
export function messageAddress(conversationId: string, messageId: string): string {
  return `/c/${conversationId}?message=${messageId}`;
}

/** The current search query; null outside the search view. */
export function useSearchQuery(): string | null {
  const [isSearch] = useRoute(SEARCH_PATH);
  const search = useSearch();
  return isSearch ? cutQuery(new URLSearchParams(search).get('q') ?? '') : null;
}
