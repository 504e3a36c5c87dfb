import { trpc } from '../../trpc.ts';

/** The actions of an assistant, the oldest first; none of one that is not saved. */
export function useActions(assistantId: string | undefined) {
  return trpc.actions.list.useQuery({ assistantId }, { enabled: assistantId !== undefined });
}
