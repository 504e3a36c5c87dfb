import type { InvitationFacts } from '@parley/schema/accounts/registration';
import { useEffect, useState } from 'react';
import { api } from '../trpc.ts';

/** The token of the link that led here; it stays in the address, so that a reload loses nothing. */
export function readInvitation(): string | undefined {
  return new URLSearchParams(window.location.search).get('invitation') || undefined;
}

export type Invitation = { status: 'none' | 'loading' } | { status: 'failed'; error: unknown } | InvitationOk;
type InvitationOk = { status: 'valid'; token: string } & InvitationFacts;

/** What the server says of an invitation. */
export function useInvitation(token: string | undefined): Invitation {
  const [invitation, setInvitation] = useState<Invitation>({ status: token === undefined ? 'none' : 'loading' });
  useEffect(() => {
    if (token === undefined) return;
    api.auth.findInvitation.mutate({ invitation: token }).then(
      (facts) => setInvitation({ status: 'valid', token, ...facts }),
      (error: unknown) => setInvitation({ status: 'failed', error }),
    );
  }, [token]);
  return invitation;
}
