import type { ToolCall } from '@parley/schema/messages/messages';
import { useEffect, useEffectEvent, useState } from 'react';
import { trpc } from '../../trpc.ts';

/**
 * Returns what begins to watch for the end of a sign-in at a tool server, which happens on another page: whenever the
 * person comes back to this one, the server is looked up. `onSignedIn` is called once.
 */
export function useSignedIn({ from }: Pick<ToolCall, 'from'>, onSignedIn: () => void): () => void {
  const [isWatching, setWatching] = useState(false);
  const { data } = trpc.mcp.list.useQuery(undefined, {
    enabled: isWatching && from?.source === 'mcp',
    refetchOnWindowFocus: 'always',
  });
  const isSignedIn = isWatching && data?.some(({ id, isSignedIn: is }) => id === from?.id && is) === true;
  const tell = useEffectEvent(onSignedIn);
  useEffect(() => {
    if (isSignedIn) tell();
  }, [isSignedIn]);
  return () => setWatching(true);
}
