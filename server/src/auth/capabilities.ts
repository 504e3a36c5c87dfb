// What a person can do, or let others do, beside the open page: each capability rests on a right and ends or rests with
// it. This table is the only place that says so. Tests try each cell; whatever is new gets a row here.
import type { Tx } from '@parley/db/client';
import { lockUser } from '@parley/db/user-rows';
import { revokeApiKeys } from '../api-keys/api-keys.ts';
import { removeTickets } from './factors/sign-in-tickets.ts';
import { removeInvitationsOf } from './registration/invitations.ts';
import { removeReset, removeResetsMadeBy } from './reset/reset-links.ts';
import { revokeSessions } from './session/sessions.ts';

/** `removed`: by an administrator; until the account is deleted, which takes all rows along. */
export type RightEvent = 'disabled' | 'demoted' | 'removed' | 'left_directory' | 'password_reset';

/** `ends`: permanently; `rests`: refused until the account has its right again; `stays`: the event does not concern it. */
export type Effect = 'ends' | 'rests' | 'stays';

type Row = Readonly<Record<RightEvent, Effect>>;

/** Of whatever rests on an active account alone, and is read together with its state. */
const WHILE_ACTIVE = {
  disabled: 'rests',
  demoted: 'stays',
  removed: 'rests',
  left_directory: 'rests',
  password_reset: 'stays',
} as const satisfies Row;

const ENDS_WITH_ACCESS = {
  disabled: 'ends',
  demoted: 'stays',
  removed: 'ends',
  left_directory: 'ends',
  password_reset: 'ends',
} as const satisfies Row;

/** Of what an administrator has set for the whole server, which is the server's from then on. */
const STAYS = {
  disabled: 'stays',
  demoted: 'stays',
  removed: 'stays',
  left_directory: 'stays',
  password_reset: 'stays',
} as const satisfies Row;

const ENDS_WITH_ROLE = { ...ENDS_WITH_ACCESS, demoted: 'ends' } as const satisfies Row;

export const CAPABILITIES = {
  /** A session, with its sockets and streams. */
  session: ENDS_WITH_ACCESS,
  /** A sign-in whose password was right and whose second factor is awaited. */
  signInTicket: ENDS_WITH_ACCESS,
  /** A link for a new password of the own account. */
  resetLink: ENDS_WITH_ACCESS,
  /** An invitation that an administrator made. It is also checked when it is used. */
  invitation: ENDS_WITH_ROLE,
  /** A link for a new password of another account that an administrator made. It is also checked when it is used. */
  resetLinkForOthers: ENDS_WITH_ROLE,
  /** The administration itself. */
  administration: { ...WHILE_ACTIVE, demoted: 'rests' },
  /** A key for programs. Anyone who resets a password may have lost more than the password. */
  apiKey: { ...WHILE_ACTIVE, password_reset: 'ends' },
  /** A passkey that signs in; other second factors likewise. A new password leaves them. */
  passkey: WHILE_ACTIVE,
  /** Asking, which uses saved keys of providers. */
  asking: WHILE_ACTIVE,
  /** The models and budgets of the groups that the person is a member of. */
  groupMembership: WHILE_ACTIVE,
  /** A tool server that the person added, with its header or with the tokens of their sign-in. */
  ownToolServer: WHILE_ACTIVE,
  /** The same, lent by a shared assistant to anyone who asks it; also to an answer that runs. */
  lentToolServer: WHILE_ACTIVE,
  /** A sign-in at a tool server, or at the service of an action, that is under way. It belongs to its session. */
  serviceSignIn: ENDS_WITH_ACCESS,
  /** A tool server that an administrator added for everybody, with its headers. Another administrator removes it. */
  serverToolServer: STAYS,
  /** A link that shows a conversation. */
  shareLink: WHILE_ACTIVE,
  /** An assistant that others use. */
  sharedAssistant: WHILE_ACTIVE,
  /** A prompt that others use. */
  sharedPrompt: WHILE_ACTIVE,
  /** A folder whose instructions and files answer others. */
  sharedFolder: WHILE_ACTIVE,
} as const satisfies Readonly<Record<string, Row>>;

type Capability = keyof typeof CAPABILITIES;

/** How those end that have rows of their own. */
const ENDINGS: readonly (readonly [Capability, (tx: Tx, userId: string) => Promise<void>])[] = [
  ['signInTicket', removeTickets],
  ['resetLink', removeReset],
  ['invitation', removeInvitationsOf],
  ['resetLinkForOthers', removeResetsMadeBy],
  ['apiKey', revokeApiKeys],
];

/**
 * Ends permanently what the event ends, in its transaction. Takes the lock on the sessions first and then the one on the
 * user's row, as all do who change an account. The answers that run are left to `stopUserRuns`, which comes last.
 */
export async function endCapabilities(tx: Tx, userId: string, event: RightEvent): Promise<void> {
  const isEnded = (name: Capability) => CAPABILITIES[name][event] === 'ends';
  if (isEnded('session')) await revokeSessions(tx, userId);
  // Anyone who uses an invitation holds its maker before the invitation.
  await lockUser(tx, userId);
  for (const [name, end] of ENDINGS) if (isEnded(name)) await end(tx, userId);
}
