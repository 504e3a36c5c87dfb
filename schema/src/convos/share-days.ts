/** The lives of links that end by themselves, in days. */
export const SHARE_DAYS = [1, 7, 30] as const;
