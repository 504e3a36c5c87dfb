// Tests of this room: tests/unit/platform, tests/integration/platform.

// Audit log of sign-ins, account changes, shared projects, violations and bans.
import type { Logger } from 'pino';

type AuditEvent =
  | 'signed_in'
  | 'sign_in_failed'
  | 'registered'
  | 'registration_failed'
  | 'address_confirmed'
  | 'signed_out'
  /** From every device but one. */
  | 'others_signed_out'
  | 'deletion_requested'
  | 'deletion_taken_back'
  | 'account_deleted'
  | 'identity_linked'
  /** The verified owner of an address took over an account registered with it. */
  | 'account_reclaimed'
  | 'token_reused'
  | 'reset_requested'
  | 'reset_failed'
  | 'password_reset'
  | 'password_changed'
  | 'password_change_failed'
  | 'factor_added'
  | 'factor_removed'
  | 'factor_refused'
  /** The counter of a passkey went back: somebody may have a copy of it. */
  | 'passkey_counter_back'
  /** Proved once more who asks. */
  | 'stepped_up'
  | 'step_up_refused'
  | 'recovery_code_used'
  | 'recovery_codes_renewed'
  | 'limited'
  | 'key_saved'
  | 'key_removed'
  | 'keys_removed'
  /** For programs. */
  | 'api_key_made'
  | 'api_key_revoked'
  | 'plugin_installed'
  | 'plugin_removed'
  | 'files_removed'
  | 'action_saved'
  | 'action_removed'
  | 'mcp_server_saved'
  | 'mcp_server_removed'
  /** With a person, a group or everybody, or at another level. */
  | 'project_shared'
  | 'project_unshared'
  | 'violation'
  | 'banned'
  | 'network_banned'
  /** Somebody asked for what is not there or is another's. */
  | 'access_refused';

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
  /** Of a shared project: with whom it is shared, by their id where it is one person or group, and what they may do. */
  project?: string;
  sharedWith?: 'user' | 'group' | 'everyone';
  sharedWithId?: string;
  level?: string;
  /** Of a violation: its type, and the user's total score. */
  violation?: string;
  score?: number;
  /** The duration of a ban. */
  minutes?: number;
  /** Of a refused access: the procedure or route, what was asked for, and how many before it have no line. */
  path?: string | undefined;
  what?: string;
  unlogged?: number;
}

/** Writes one audit line: no passwords, tokens or e-mail addresses. */
export function audit({ log }: { log: Logger }, event: AuditEvent, details: Details): void {
  log.info({ audit: event, ...details }, `Audit: ${event}`);
}

/** How many refusals of one user have a line within a minute: guessing ids must not fill the log. */
const REFUSALS_LOGGED = 5;
const REFUSALS_WINDOW_MS = 60_000;
/** At so many users the counts of windows that have ended are dropped. */
const USERS_COUNTED = 1000;

interface Refusals {
  since: number;
  logged: number;
  unlogged: number;
}

const refusals = new WeakMap<Logger, Map<string, Refusals>>();

/**
 * Notes that a user was refused an id, at most five times a minute. Whether it is another's or nobody's is not known: the
 * statement that looks for it knows only what its user has. `now` is in milliseconds.
 */
export function auditRefusedAccess(
  log: Logger,
  { userId, path, what }: { userId: string; path: string | undefined; what: string },
  now = performance.now(),
): void {
  const users = refusals.get(log) ?? new Map<string, Refusals>();
  refusals.set(log, users);
  const before = users.get(userId);
  if (before && now - before.since < REFUSALS_WINDOW_MS && before.logged >= REFUSALS_LOGGED) {
    before.unlogged += 1;
    return;
  }
  const isNew = !before || now - before.since >= REFUSALS_WINDOW_MS;
  const counted = isNew ? { since: now, logged: 0, unlogged: 0 } : before;
  counted.logged += 1;
  if (users.size >= USERS_COUNTED) dropEnded(users, now);
  users.set(userId, counted);
  const unlogged = isNew ? (before?.unlogged ?? 0) : 0;
  audit({ log }, 'access_refused', { userId, path, what, ...(unlogged > 0 && { unlogged }) });
}

function dropEnded(users: Map<string, Refusals>, now: number): void {
  for (const [userId, { since }] of users) if (now - since >= REFUSALS_WINDOW_MS) users.delete(userId);
}
