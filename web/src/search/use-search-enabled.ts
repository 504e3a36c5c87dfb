import { trpc } from '../trpc.ts';

/** Whether the server can search. True until it answers: most can, and the layout must not shift then. */
export function useSearchEnabled(): boolean {
  return trpc.convos.searchEnabled.useQuery(undefined, { staleTime: Infinity }).data ?? true;
}
