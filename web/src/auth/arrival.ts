// Why somebody comes back from another site's sign-in without one. The address says it once.
import { SOCIAL_REFUSALS, type Reason } from '@parley/schema/reasons';
import type { TFunction } from 'i18next';
import { useEffect, useState } from 'react';
import { describeReason } from '../lib/describe-reason.ts';

/** The reasons that hold more than an address tells, without it. */
const OTHERS: Reason[] = [
  { type: 'banned', until: null },
  { type: 'email_domain_not_allowed' },
  { type: 'too_many_attempts', retryAfterSeconds: 0 },
  { type: 'unknown', text: '' },
];

/** Null where the address names none that is known. */
export function arrivalIn(search: string): Reason | null {
  const query = new URLSearchParams(search);
  const type = query.get('error');
  const why = SOCIAL_REFUSALS.find((known) => known === query.get('why'));
  if (type === 'social_login') return why ? { type, why } : null;
  return OTHERS.find((reason) => reason.type === type) ?? null;
}

/** What the address said when the screen was opened, which it does not any more. */
export function useArrival(): Reason | null {
  const [reason] = useState(() => arrivalIn(window.location.search));
  useEffect(() => {
    const { search, pathname } = window.location;
    if (new URLSearchParams(search).has('error')) window.history.replaceState(window.history.state, '', pathname);
  }, []);
  return reason;
}

export function describeArrival(reason: Reason, t: TFunction): string {
  return reason.type === 'too_many_attempts' ? t('com_auth_error_login_rl') : describeReason(reason, t);
}

/** Whoever has said no elsewhere knows why they are here. */
export function isQuiet(reason: Reason): boolean {
  return reason.type === 'social_login' && reason.why === 'cancelled';
}
