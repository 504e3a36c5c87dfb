import type { ToolOrigin } from '@parley/schema/messages/messages';
import { useEffect, useEffectEvent, useState } from 'react';
import { trpc } from '../../trpc.ts';

interface SignInWatchProps {
  /** Where somebody signs in. */
  from: ToolOrigin;
  /** Called once. */
  onSignedIn: () => void;
}

/**
 * Notices the end of a sign-in, which happens on another page: whenever the person comes back to this one, the server is
 * asked about it. Draws nothing.
 */
export function SignInWatch({ from, onSignedIn }: SignInWatchProps) {
  switch (from.source) {
    case 'mcp':
      return <ServerWatch serverId={from.id} onSignedIn={onSignedIn} />;
    case 'action':
      return <ActionWatch actionId={from.id} onSignedIn={onSignedIn} />;
    default:
      return null;
  }
}

function ServerWatch({ serverId, onSignedIn }: { serverId: string; onSignedIn: () => void }) {
  const { data } = trpc.mcp.list.useQuery(undefined, { refetchOnWindowFocus: 'always' });
  useOnce(data?.some((server) => server.id === serverId && server.isSignedIn) === true, onSignedIn);
  return null;
}

/** Tokens that an API refuses may still be stored, so only a new sign-in counts. */
function ActionWatch({ actionId, onSignedIn }: { actionId: string; onSignedIn: () => void }) {
  const { data } = trpc.actions.signedInAt.useQuery(
    { actionId },
    { refetchOnWindowFocus: 'always', staleTime: 0, gcTime: 0 },
  );
  const [before, setBefore] = useState(data);
  if (before === undefined && data !== undefined) setBefore(data);
  useOnce(before !== undefined && data !== before && data !== null, onSignedIn);
  return null;
}

function useOnce(isSignedIn: boolean, onSignedIn: () => void): void {
  const tell = useEffectEvent(onSignedIn);
  useEffect(() => {
    if (isSignedIn) tell();
  }, [isSignedIn]);
}
