import { asFields } from '@parley/schema/json';
import { useQueryClient } from '@tanstack/react-query';
import { getQueryKey } from '@trpc/react-query';
import { useCallback } from 'react';
import { trpc } from '../../trpc.ts';

/** Returns a function that removes a deleted convo from the cache. */
export function useForgetConvo(): (conversationId: string) => void {
  const client = useQueryClient();
  return useCallback(
    (conversationId) => {
      client.removeQueries({ queryKey: getQueryKey(trpc.convos.byId, { conversationId }, 'query') });
      client.removeQueries({
        queryKey: getQueryKey(trpc.messages),
        predicate: ({ queryKey }) => isOf(queryKey[1], conversationId),
      });
    },
    [client],
  );
}

/** Whether a query's input has this id, whatever else it has. */
function isOf(asked: unknown, conversationId: string): boolean {
  return asFields(asFields(asked).input).conversationId === conversationId;
}
