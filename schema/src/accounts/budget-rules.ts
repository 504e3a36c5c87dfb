/** A million dollars. */
export const BUDGET_CREDITS_MAX = 1_000_000_000_000;

/** By what administrators see usage. */
export const USAGE_GROUPS = ['person', 'model', 'provider', 'day'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];
