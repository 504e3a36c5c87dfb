import { useEffect, useEffectEvent } from 'react';
import { trpc } from '../../trpc.ts';

interface SignInWatchProps {
  serverId: string;
  /** Called once. */
  onSignedIn: () => void;
}

/**
 * Notices the end of a sign-in at a tool server, which happens on another page: whenever the person comes back to this
 * one, the server is looked up. Draws nothing.
 */
export function SignInWatch({ serverId, onSignedIn }: SignInWatchProps) {
  const { data } = trpc.mcp.list.useQuery(undefined, { refetchOnWindowFocus: 'always' });
  const isSignedIn = data?.some((server) => server.id === serverId && server.isSignedIn) === true;
  const tell = useEffectEvent(onSignedIn);
  useEffect(() => {
    if (isSignedIn) tell();
  }, [isSignedIn]);
  return null;
}
