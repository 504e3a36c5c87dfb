/** Days between the wish to delete an account and its deletion. */
export const DELETION_DAYS = 7;
