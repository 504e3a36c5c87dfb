import { cutQuery } from '@parley/schema/cut-query';
import { useEffect, useRef, useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { searchAddress, useSearchedFor } from './address.ts';

/** Milliseconds from the last key press to the search. */
const SEARCH_AFTER = 350;

/** Where one was before the search, which is where one is again without one. */
let cameFrom = '/c/new';

/** The text of a search box; what is searched for follows it after a moment. */
export function useQueryBox() {
  const searchedFor = useSearchedFor();
  const [text, setText] = useState(searchedFor ?? '');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isSearch = searchedFor !== null;

  // The way back and the palette search, too.
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
      timer.current = setTimeout(() => search(written), SEARCH_AFTER);
    },
    /** Searches without waiting. */
    submit: () => search(text),
    clear(): void {
      setText('');
      search('');
    },
  };
}
