// The server calls about stored files.
import type { StoredFile, UseCounts } from '@parley/schema/files/stored-file';
import { useQuery } from '@tanstack/react-query';
import { api, queryClient } from '../trpc.ts';
import { refetchInterval } from './refetch-interval.ts';
import { markRemoved } from './removed-files.ts';

/** The largest page that the server gives. */
const PAGE_ROWS = 200;
const FILES = 'files';
/** One quick retry: the person sees soon that something cannot be read, and may try again. */
const RETRY = { retry: 1, retryDelay: 500 };

/**
 * All files of the user, newest first; read again now and then while the text of one is being read. `hasFailed` stays
 * true during another try.
 */
export function useFiles({ enabled = true } = {}) {
  const { data, isFetching, errorUpdateCount, refetch } = useQuery({
    queryKey: [FILES, 'list'],
    queryFn: listAll,
    enabled,
    ...RETRY,
    refetchInterval: ({ state }) => refetchInterval(state.data),
  });
  return { data, isFetching, refetch, hasFailed: data === undefined && errorUpdateCount > 0 };
}

async function listAll(): Promise<StoredFile[]> {
  const all: StoredFile[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof api.files.list.query>> = await api.files.list.query({
      cursor,
      limit: PAGE_ROWS,
    });
    all.push(...page.files);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return all;
}

export function useFileUsage() {
  return useQuery({ queryKey: [FILES, 'usage'], queryFn: () => api.files.usage.query() });
}

/** A passage of a file with its neighbours. The text of a file never changes. */
export function usePassage({ fileId, n }: { fileId: string; n: number }, enabled = true) {
  return useQuery({
    queryKey: [FILES, 'passage', fileId, n],
    queryFn: () => api.files.passage.query({ fileId, n }),
    enabled,
    ...RETRY,
  });
}

/** What uses a file. */
export function useFileUses(fileId: string) {
  return useQuery({
    queryKey: [FILES, 'uses', fileId],
    queryFn: () => api.files.usesOf.query({ fileId }),
    staleTime: 0,
    ...RETRY,
  });
}

/** How much uses any of these files; null until it is known, and for none. */
export function useUseCounts(fileIds: readonly string[]): UseCounts | null {
  const ids = [...fileIds];
  const { data } = useQuery({
    queryKey: [FILES, 'counts', ids],
    queryFn: () => api.files.countUses.query({ ids }),
    enabled: ids.length > 0,
    staleTime: 0,
    ...RETRY,
  });
  return data ?? null;
}

/** Which of these files exist; undefined until it is known. Asked again when the page comes back to the front. */
export function useExisting(fileIds: readonly string[]): readonly string[] | undefined {
  const ids = [...fileIds];
  const { data } = useQuery({
    queryKey: [FILES, 'existing', ids],
    queryFn: () => api.files.existing.query({ ids }),
    enabled: ids.length > 0,
    refetchOnWindowFocus: 'always',
    staleTime: 0,
  });
  return data;
}

export async function removeFiles(ids: readonly string[]): Promise<void> {
  const { removed } = await api.files.remove.mutate({ ids: [...ids] });
  markRemoved(removed);
  await refreshFiles();
}

/** Has the text of a file read again that could not be read. */
export async function readAgain(fileId: string): Promise<void> {
  await api.files.readAgain.mutate({ fileId });
  await refreshFiles();
}

/** Deletes files that were taken out of the questions of these drafts, unless something else has them. */
export async function discardFiles(ids: readonly string[], drafts: readonly string[]): Promise<void> {
  const { removed } = await api.files.discard.mutate({ ids: [...ids], drafts: [...drafts] });
  if (removed.length === 0) return;
  markRemoved(removed);
  await refreshFiles();
}

/** The files have changed: what is on screen is read again. */
export async function refreshFiles(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: [FILES] });
}
