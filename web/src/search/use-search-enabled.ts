import { trpc } from '../trpc.ts';

/**
 * Whether the server can search. True until it says otherwise: most can, and the layout must not shift once it answers.
 */
export function useSearchEnabled(): boolean {
  return trpc.convos.searchEnabled.useQuery(undefined, { staleTime: Infinity }).data ?? true;
}
