import type { Deps } from '../deps.ts';

type AuditEvent =
  | 'signed_in'
  | 'sign_in_failed'
  | 'registered'
  | 'registration_failed'
  | 'signed_out'
  | 'identity_linked'
  /** An account that somebody had registered with another's address went to its owner. */
  | 'account_reclaimed'
  | 'token_reused'
  | 'reset_requested'
  | 'reset_failed'
  | 'password_reset'
  | 'password_changed'
  | 'password_change_failed'
  | 'limited'
  | 'key_saved'
  | 'key_removed'
  | 'keys_removed'
  | 'violation'
  | 'banned'
  | 'network_banned';

interface Details {
  userId?: string;
  sid?: string;
  /** A keyed hash, never the e-mail itself. */
  account?: string;
  ip?: string;
  /** The site that somebody signed in by, and why that failed. */
  provider?: string;
  reason?: string;
  key?: string;
  endpoint?: string;
  /** Of a violation: its type, and the sum of its scores so far. */
  violation?: string;
  score?: number;
  /** How long a ban lasts. */
  minutes?: number;
}

/** One line for who reviews the log: no passwords, no tokens, no e-mail addresses. */
export function audit(deps: Pick<Deps, 'log'>, event: AuditEvent, details: Details): void {
  deps.log.info({ audit: event, ...details }, `Audit: ${event}`);
}
