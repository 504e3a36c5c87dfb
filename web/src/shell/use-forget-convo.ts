import { useQueryClient } from '@tanstack/react-query';
import { getQueryKey } from '@trpc/react-query';
import { useCallback } from 'react';
import { trpc } from '../trpc.ts';

/** Returns a function that drops what is cached of a deleted convo. */
export function useForgetConvo(): (conversationId: string) => void {
  const client = useQueryClient();
  return useCallback(
    (conversationId) => {
      client.removeQueries({ queryKey: getQueryKey(trpc.convos.byId, { conversationId }, 'query') });
      client.removeQueries({ queryKey: getQueryKey(trpc.messages.list, { conversationId }, 'query') });
    },
    [client],
  );
}
