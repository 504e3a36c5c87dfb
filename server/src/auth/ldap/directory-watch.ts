// What sessions and sign-ins ask of the watch over the directory, which stands above accounts with the administration.

/** Asks the directory from time to time whether it still knows its people. */
export interface DirectoryWatch {
  /**
   * Asks the directory, once the last answer is a day old, and shuts the account of somebody whom it no longer lets in.
   * False then; true for accounts that are not of the directory, and while it cannot be asked.
   */
  stillKnows(userId: string): Promise<boolean>;
  /**
   * Notes that the directory has just taken the password of this id, and opens the account again that was shut because
   * it no longer did. False for an id without an account.
   */
  letIn(subject: string): Promise<boolean>;
  /** Asks about all whose last answer is a day old, until `ending` is aborted. */
  askDue(ending: AbortSignal): Promise<void>;
}
