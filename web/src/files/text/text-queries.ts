import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ViewedFile } from '../../dialogs/viewed-file.ts';
import { api } from '../../trpc.ts';
import { isUnfinished } from '../document-status.ts';
import { loadText } from './load-text.ts';

/** Milliseconds between two looks at a text that is being read. */
const REREAD_AFTER_MS = 2_000;
/** One quick retry: the person sees soon that something cannot be read, and may try again. */
const RETRY = { retry: 1, retryDelay: 500 };
/** In memory only while it is looked at. */
const UNKEPT = { gcTime: 0, staleTime: Infinity };

/** The text that the server has read in a file; its parts come one after the other. */
export function useFileText(fileId: string) {
  const query = useInfiniteQuery({
    queryKey: ['file-text', fileId],
    queryFn: ({ pageParam }) => api.files.text.query({ fileId, cursor: pageParam }),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
    refetchInterval: ({ state }) => (isUnfinished(state.data?.pages[0]?.document ?? null) ? REREAD_AFTER_MS : false),
    ...RETRY,
    ...UNKEPT,
  });
  const { hasNextPage, isFetching, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  return query;
}

/** The text of a file of plain text. */
export function usePlainText(file: ViewedFile) {
  return useQuery({
    queryKey: ['file-bytes', file.fileId],
    queryFn: ({ signal }) => loadText(file, signal),
    ...RETRY,
    ...UNKEPT,
  });
}
