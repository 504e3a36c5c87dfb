// Why an OAuth sign-in failed. The address carries the reason once.
import { SOCIAL_REFUSALS, type Reason } from '@parley/schema/reasons';
import type { TFunction } from 'i18next';
import { useEffect, useState } from 'react';
import { describeReason } from '../errors/describe-reason.ts';

/** The reasons that need no data beyond the address. */
const OTHERS: Reason[] = [
  { type: 'banned', until: null },
  { type: 'email_domain_not_allowed' },
  { type: 'account_disabled' },
  { type: 'account_waiting' },
  { type: 'email_unconfirmed' },
  { type: 'invalid_invitation' },
  { type: 'too_many_attempts', retryAfterSeconds: 0 },
  { type: 'unknown', text: '' },
];

/** Null if the address has no known reason. */
function readOauthResult(search: string): Reason | null {
  const query = new URLSearchParams(search);
  const type = query.get('error');
  const why = SOCIAL_REFUSALS.find((known) => known === query.get('why'));
  if (type === 'social_login') return why ? { type, why } : null;
  return OTHERS.find((reason) => reason.type === type) ?? null;
}

/** The reason from the address when the screen opened; the address no longer has it. */
export function useOauthResult(): Reason | null {
  const [reason] = useState(() => readOauthResult(window.location.search));
  useEffect(() => {
    const { search, pathname } = window.location;
    if (new URLSearchParams(search).has('error')) window.history.replaceState(window.history.state, '', pathname);
  }, []);
  return reason;
}

export function describeOauthResult(reason: Reason, t: TFunction): string {
  return reason.type === 'too_many_attempts' ? t('com_auth_error_login_rl') : describeReason(reason, t);
}

/** Users who declined at the provider need no explanation. */
export function isCancelled(reason: Reason): boolean {
  return reason.type === 'social_login' && reason.why === 'cancelled';
}
