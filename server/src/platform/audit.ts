// Audit log of sign-ins, account changes, violations and bans.
import type { Logger } from 'pino';

type AuditEvent =
  | 'signed_in'
  | 'sign_in_failed'
  | 'registered'
  | 'registration_failed'
  | 'signed_out'
  | 'identity_linked'
  /** The verified owner of an address took over an account registered with it. */
  | 'account_reclaimed'
  | 'token_reused'
  | 'reset_requested'
  | 'reset_failed'
  | 'password_reset'
  | 'password_changed'
  | 'password_change_failed'
  | 'account_deletion_asked'
  | 'account_deletion_failed'
  | 'account_kept'
  | 'account_deleted'
  | 'limited'
  | 'key_saved'
  | 'key_removed'
  | 'keys_removed'
  | 'plugin_installed'
  | 'plugin_removed'
  | 'files_removed'
  | 'action_saved'
  | 'action_removed'
  | 'mcp_server_saved'
  | 'mcp_server_removed'
  | 'violation'
  | 'banned'
  | 'network_banned';

interface Details {
  userId?: string;
  sid?: string;
  /** A keyed hash of the e-mail address, never the address itself. */
  account?: string;
  ip?: string;
  /** The OAuth provider, and why its sign-in failed. */
  provider?: string;
  reason?: string;
  key?: string;
  endpoint?: string;
  /** Of an API that an action calls. */
  host?: string;
  plugin?: string;
  /** The names of a plugin's fields that got values. */
  fields?: string;
  /** The number of files. */
  count?: number;
  /** Of a violation: its type, and the user's total score. */
  violation?: string;
  score?: number;
  /** The duration of a ban. */
  minutes?: number;
}

/** Writes one audit line: no passwords, tokens or e-mail addresses. */
export function audit({ log }: { log: Logger }, event: AuditEvent, details: Details): void {
  log.info({ audit: event, ...details }, `Audit: ${event}`);
}
