// What two-step sign-in asks for: the codes of an authenticator app, passkeys, and the codes that stand in for them.
import * as z from 'zod';
import { cleanText } from '../clean-text.ts';
import { Id } from '../ids.ts';
import { Assertion } from './passkeys.ts';
import { ForeignPassword } from './users.ts';

/** As typed, with spaces and in either case; longer ones are none of ours. */
const Code = z.string().max(64).overwrite(cleanText);
/** Stands for the password that was right. */
const Ticket = z.string().max(128).overwrite(cleanText);

/** One of both: a code of the app or for recovery, or what a passkey has signed. */
export const ProveFactor = z.strictObject({ ticket: Ticket, code: Code.optional(), assertion: Assertion.optional() });
/** Without an id it is the one that was begun. */
export const ConfirmFactor = z.strictObject({ id: Id.optional(), code: Code });
export const FactorRef = z.strictObject({ id: Id });
export const FactorOptions = z.strictObject({ ticket: Ticket });
/** Who has a second factor proves it, others type the password; both are asked for where that is said. */
export const StepUp = z.strictObject({
  password: ForeignPassword.optional(),
  code: Code.optional(),
  assertion: Assertion.optional(),
});

export interface FactorStatus {
  /** The authenticator app; null where there is none. */
  app: { id: string; /** An ISO date. */ since: string } | null;
  passkeys: Passkey[];
  recoveryCodesLeft: number;
}

export interface Passkey {
  id: string;
  name: string;
  /** ISO dates. */
  createdAt: string;
  lastUsedAt: string | null;
}

/** What an authenticator app is set up with, by its picture or by hand. */
export interface NewFactor {
  id: string;
  /** In base 32. */
  secret: string;
  /** `otpauth://totp/…`, which the apps read from a picture. */
  uri: string;
}
