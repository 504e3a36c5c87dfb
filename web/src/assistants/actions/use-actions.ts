import { trpc } from '../../trpc.ts';

/** The actions of an assistant, without their documents, the oldest first; none of one that is not saved. */
export function useActions(assistantId: string | undefined) {
  return trpc.actions.list.useQuery({ assistantId }, { enabled: assistantId !== undefined });
}

/** An action with its document; none for a new one. */
export function useAction(actionId: string | null) {
  return trpc.actions.get.useQuery({ actionId: actionId ?? '' }, { enabled: actionId !== null });
}
