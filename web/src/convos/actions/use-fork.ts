import type { Convo } from '@parley/schema/convos/convos';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useStore } from 'jotai';
import { useTranslation } from 'react-i18next';
import { navigate } from 'wouter/use-browser-location';
import { newId } from '../../lib/new-id.ts';
import { branchesAtom, shownPath, type Branches } from '../../chat/cache/branches.ts';
import { threadQuery } from '../../chat/cache/thread-query.ts';
import { showToast } from '../../ui/toast/toast.ts';
import { api, trpc } from '../../trpc.ts';
import { useShowError } from '../../ui/toast/use-show-error.ts';

/** Returns a function that copies the last viewed branch of a conversation into a new one, and opens that. */
export function useFork(): (convo: Convo) => Promise<void> {
  const { t } = useTranslation();
  const showError = useShowError();
  const client = useQueryClient();
  const store = useStore();
  const { convos } = trpc.useUtils();
  return async ({ conversationId }) => {
    try {
      const branches = store.get(branchesAtom)[conversationId];
      // If the user never switched branches, it is the newest one, which the server knows.
      const messageId = branches && (await findEnd(client, conversationId, branches));
      const convo = await api.convos.fork.mutate({ conversationId, messageId, forkId: newId() });
      convos.byId.setData({ conversationId: convo.conversationId }, convo);
      navigate(`/c/${convo.conversationId}`);
      showToast({ message: t('com_ui_forked'), severity: 'success' });
    } catch (error) {
      showError(error);
    }
  };
}

/** The last message on screen when the conversation opens. */
async function findEnd(client: QueryClient, conversationId: string, branches: Branches): Promise<string | undefined> {
  const { tree } = await client.fetchQuery({ ...threadQuery(client, conversationId), staleTime: Infinity });
  return shownPath(tree, branches).at(-1)?.messageId;
}
