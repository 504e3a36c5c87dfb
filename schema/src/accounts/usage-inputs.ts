// What is asked of usage and budgets.
import * as z from 'zod';
import { BUDGET_CREDITS_MAX, USAGE_GROUPS } from './budget-rules.ts';
import { BUDGET_PERIODS, BUDGET_SCOPES } from '../reasons.ts';
import { Id } from '../ids.ts';
import { Email } from './users.ts';

const Month = z.string().regex(/^\d{4}-(?:0[1-9]|1[0-2])$/, 'This is no month');

/** This month when absent. */
export const UsageMonth = z.object({ month: Month.optional() });

export const ListUsage = UsageMonth.extend({
  by: z.enum(USAGE_GROUPS),
  /** `next` of the page before. */
  cursor: z.int().nonnegative().max(10_000_000).nullish(),
});

export const UsageLines = z.object({
  month: Month,
  /** The last line of the page before. */
  cursor: z.int().nonnegative().max(100_000_000).nullish(),
});

export const SetBudget = z
  .object({
    scope: z.enum(BUDGET_SCOPES),
    /** Of the person, whose budget it is. */
    email: Email.optional(),
    /** Whose members share it. */
    groupId: Id.optional(),
    period: z.enum(BUDGET_PERIODS),
    credits: z.int().nonnegative().max(BUDGET_CREDITS_MAX),
    /** That was read; null for a new one. */
    version: z.int().positive().nullable(),
  })
  .refine(({ scope, email }) => (scope === 'person') === (email !== undefined), {
    error: 'Name the person, and only for a budget of a person',
  })
  .refine(({ scope, groupId }) => (scope === 'group') === (groupId !== undefined), {
    error: 'Name the group, and only for a budget of a group',
  });
export type SetBudget = z.output<typeof SetBudget>;

export const BudgetRef = z.object({ id: Id, version: z.int().positive() });
