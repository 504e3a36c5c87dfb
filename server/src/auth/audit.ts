import type { Deps } from '../deps.ts';

type AuditEvent =
  | 'signed_in'
  | 'sign_in_failed'
  | 'registered'
  | 'registration_failed'
  | 'signed_out'
  | 'token_reused'
  | 'limited'
  | 'key_saved'
  | 'key_removed'
  | 'keys_removed';

interface Details {
  userId?: string;
  sid?: string;
  /** A keyed hash, never the e-mail itself. */
  account?: string;
  ip?: string;
  key?: string;
  endpoint?: string;
}

/** One line for who reviews the log: no passwords, no tokens, no e-mail addresses. */
export function audit(deps: Pick<Deps, 'log'>, event: AuditEvent, details: Details): void {
  deps.log.info({ audit: event, ...details }, `Audit: ${event}`);
}
