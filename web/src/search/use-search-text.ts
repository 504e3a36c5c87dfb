import { cutQuery } from '@parley/schema/search/cut-query';
import { useEffect, useRef, useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { searchAddress, useSearchQuery } from './search-address.ts';

/** Milliseconds from the last key press to the search. */
const SEARCH_AFTER_MS = 350;

/** The address before the search; an empty query returns to it. */
let cameFrom = '/c/new';

/** The text of a search box; the query follows after a debounce. */
export function useSearchText() {
  const searchedFor = useSearchQuery();
  const [text, setText] = useState(searchedFor ?? '');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isSearch = searchedFor !== null;

  // The back button and the palette also change the query.
  useEffect(() => {
    if (timer.current === undefined) setText(searchedFor ?? '');
  }, [searchedFor]);
  useEffect(() => () => clearTimeout(timer.current), []);

  function search(written: string): void {
    clearTimeout(timer.current);
    timer.current = undefined;
    const query = cutQuery(written.trim());
    if (query === '') {
      if (isSearch) navigate(cameFrom);
    } else if (query !== searchedFor) {
      if (!isSearch) cameFrom = window.location.pathname + window.location.search;
      navigate(searchAddress(query), { replace: isSearch });
    }
  }

  return {
    text,
    write(written: string): void {
      setText(written);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => search(written), SEARCH_AFTER_MS);
    },
    /** Searches without the debounce. */
    submit: () => search(text),
    clear(): void {
      setText('');
      search('');
    },
  };
}
