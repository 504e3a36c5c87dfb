// What two-step sign-in asks for: the codes of an authenticator app, and those that stand in for it.
import * as z from 'zod';
import { cleanText } from '../clean-text.ts';
import { Id } from '../ids.ts';
import { Password } from './users.ts';

/** As typed, with spaces and in either case; longer ones are none of ours. */
const Code = z.string().max(64).overwrite(cleanText);

export const ProveFactor = z.strictObject({ ticket: z.string().max(128).overwrite(cleanText), code: Code });
export const BeginFactor = z.strictObject({ password: Password });
export const ConfirmFactor = z.strictObject({ id: Id, code: Code });
/** What switching it off and new recovery codes need: both, for whoever finds an open session has neither. */
export const BothFactors = z.strictObject({ password: Password, code: Code });

export interface FactorStatus {
  /** When two-step sign-in was switched on, as an ISO date; null where it is off. */
  since: string | null;
  recoveryCodesLeft: number;
}

/** What an authenticator app is set up with, by its picture or by hand. */
export interface NewFactor {
  id: string;
  /** In base 32. */
  secret: string;
  /** `otpauth://totp/…`, which the apps read from a picture. */
  uri: string;
}
