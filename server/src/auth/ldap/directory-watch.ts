// What sessions and sign-ins ask of the watch over the directory, which stands above accounts with the administration.
import type { Identity } from '../oauth/identities.ts';

/** Asks the directory from time to time whether it still knows its people. */
export interface DirectoryWatch {
  /**
   * Asks the directory, once the last answer is a day old, and shuts the account of somebody whom it no longer lets in.
   * False then; true for accounts that are not of the directory, and while it cannot be asked.
   */
  stillKnows(userId: string): Promise<boolean>;
  /**
   * Notes that the directory, or a site, has just let this person in, and opens the account again that was shut because
   * it no longer did. False for an identity without an account.
   */
  letIn(identity: Identity): Promise<boolean>;
  /**
   * Shuts the account of somebody whom an OpenID site knows and no longer lets in. Nothing happens to an account that was
   * made by another site or with a password of this server, nor for an identity without an account.
   */
  barredBySite(identity: Identity): Promise<void>;
  /** Asks about all whose last answer is a day old, until `ending` is aborted. */
  askDue(ending: AbortSignal): Promise<void>;
}
