import type { Assistant } from '@parley/schema/assistants/assistants';
import { useQuery } from '@tanstack/react-query';
import { getQueryKey } from '@trpc/react-query';
import { describeError } from '../../errors/describe-error.ts';
import { i18n } from '../../i18n.ts';
import { api, queryClient, trpc } from '../../trpc.ts';
import { showToast } from '../../ui/toast/toast.ts';

/** Below the key of the procedure, so that the change feed refreshes it too. */
const LIST = [...getQueryKey(trpc.assistants.list), 'all'];

/** All assistants of the user, the newest first, and below them those that others share. */
export function useAssistants({ enabled = true } = {}) {
  return useQuery({ queryKey: LIST, queryFn: listAll, enabled });
}

async function listAll(): Promise<Assistant[]> {
  const all: Assistant[] = [];
  let after: string | undefined;
  for (;;) {
    const page: Awaited<ReturnType<typeof api.assistants.list.query>> = await api.assistants.list.query({ after });
    all.push(...page.assistants);
    after = page.assistants.at(-1)?.assistantId;
    if (!page.hasMore || after === undefined) return [...all, ...(await api.assistants.shared.query())];
  }
}

/** A saved assistant replaces its former self, and a new one stands first. */
export function putAssistant(saved: Assistant): void {
  queryClient.setQueryData<Assistant[]>(LIST, (known = []) => {
    const isKnown = known.some(({ assistantId }) => assistantId === saved.assistantId);
    return isKnown ? known.map((one) => (one.assistantId === saved.assistantId ? saved : one)) : [saved, ...known];
  });
}

/** Returns the assistants that remain. */
export function dropAssistant(assistantId: string): Assistant[] {
  const known = queryClient.getQueryData<Assistant[]>(LIST) ?? [];
  const left = known.filter((one) => one.assistantId !== assistantId);
  queryClient.setQueryData(LIST, left);
  return left;
}

/** Undoes a deletion; false if it cannot be undone any more, which is told. */
export async function restoreAssistant(deletionId: string): Promise<boolean> {
  try {
    await api.convos.restore.mutate({ deletionId });
    await queryClient.invalidateQueries({ queryKey: getQueryKey(trpc.assistants) });
    return true;
  } catch (error) {
    showToast({ message: describeError(error, i18n.t), severity: 'error' });
    return false;
  }
}
