// Who may make an account.
import * as z from 'zod';

/** The first account of a server is always allowed, and an invitation is a way in wherever registration is closed. */
export const REGISTRATION_MODES = [
  'open',
  /** Anyone who has no invitation is told that one is needed. */
  'invitation',
  /** New accounts wait until an administrator approves them. */
  'approval',
  'closed',
] as const;
export type RegistrationMode = (typeof REGISTRATION_MODES)[number];

export interface RegistrationRules {
  mode: RegistrationMode;
  /** In lower case; empty for every domain. */
  allowedDomains: readonly string[];
}

/** What is told of a link before its form is filled in. */
export interface InvitationFacts {
  /** The only address that may use it; null for any. */
  email: string | null;
}

/** Characters of the token in a link. */
const TOKEN_MAX = 256;
export const InvitationToken = z.string().min(1).max(TOKEN_MAX);
