import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  numeric,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { groups } from './administration.ts';
import { ownerId, users } from './users.ts';

/** A user's balance in credits: a million credits are one US dollar. */
export const balances = pgTable(
  'balances',
  {
    userId: ownerId().primaryKey(),
    credits: bigint({ mode: 'number' }).notNull().default(0),
    /** The part reserved for runs that have not ended. */
    reserved: bigint({ mode: 'number' }).notNull().default(0),
  },
  (table) => [
    check('balances_credits', sql`${table.credits} >= 0`),
    check('balances_reserved', sql`${table.reserved} >= 0`),
  ],
);

/** The ledger: every change of a balance; append-only. */
export const transactions = pgTable(
  'transactions',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    userId: ownerId(),
    convoId: uuid('convo_id'),
    generationId: uuid('generation_id'),
    tokenType: text('token_type', {
      enum: ['prompt', 'cached_read', 'cached_write', 'completion', 'credits'],
    }).notNull(),
    model: text(),
    /** What it was spent on. */
    context: text({ enum: ['message', 'title', 'plugins', 'summary', 'incomplete', 'speech', 'added'] }).notNull(),
    /** Credits a token. */
    rate: numeric({ mode: 'number' }),
    /** Tokens, negative when spent. */
    rawAmount: bigint('raw_amount', { mode: 'number' }).notNull(),
    /** Credits, negative when spent. */
    tokenValue: bigint('token_value', { mode: 'number' }).notNull(),
    /** The provider reported no usage, so the tokens are an estimate. */
    isEstimated: boolean('is_estimated').notNull().default(false),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
  },
  (table) => [
    index('transactions_user').on(table.userId, table.id),
    index('transactions_generation').on(table.generationId),
    check('transactions_spent', sql`${table.context} = 'added' or ${table.tokenValue} <= 0`),
  ],
);

/** What a day, endpoint, model and kind of call have used together. */
const counted = () => ({
  /** In UTC, by the end of the calls. */
  day: date({ mode: 'string' }).notNull(),
  endpoint: text().notNull(),
  /** Empty where there is none. */
  model: text().notNull(),
  kind: text({ enum: ['chat', 'title', 'summary', 'picture', 'api', 'speech'] }).notNull(),
  asks: integer().notNull(),
  /** Tokens. */
  input: bigint({ mode: 'number' }).notNull(),
  output: bigint({ mode: 'number' }).notNull(),
  /** Of `input`: read from the caches of providers, and written to them. */
  cachedRead: bigint('cached_read', { mode: 'number' }).notNull().default(0),
  cachedWrite: bigint('cached_write', { mode: 'number' }).notNull().default(0),
  /** Of `output`. */
  reasoning: bigint({ mode: 'number' }).notNull().default(0),
  credits: bigint({ mode: 'number' }).notNull(),
  /** Asks whose tokens are an estimate, since the provider reported none. */
  estimated: integer().notNull(),
  /** Asks whose price is an estimate, since none is known. */
  unpriced: integer().notNull().default(0),
});

/** What each person has used. Gathered from ended rows of `generations`. */
export const usageDays = pgTable(
  'usage_days',
  {
    userId: ownerId(),
    ...counted(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.day, table.endpoint, table.model, table.kind] }),
    index('usage_days_day').on(table.day),
  ],
);

/** What all have used together: it stays when an account goes. */
export const usageTotals = pgTable('usage_totals', counted(), (table) => [
  primaryKey({ columns: [table.day, table.endpoint, table.model, table.kind] }),
]);

/** How much may be spent in a day or a month. */
export const budgets = pgTable(
  'budgets',
  {
    id: uuid().primaryKey().defaultRandom(),
    /** A person; each person who has none of their own; the members of a group together; all together. */
    scope: text({ enum: ['person', 'each', 'group', 'all'] }).notNull(),
    /** Null but for the budget of a person. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    /** Null but for the budget of a group. */
    groupId: uuid('group_id').references(() => groups.id, { onDelete: 'cascade' }),
    period: text({ enum: ['day', 'month'] }).notNull(),
    credits: bigint({ mode: 'number' }).notNull(),
    /** Counts the changes: anyone who saves names the one that was read. */
    version: integer().notNull().default(1),
    /** Null when the account is gone. */
    changedBy: uuid('changed_by').references(() => users.id, { onDelete: 'set null' }),
    changedAt: timestamp('changed_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('budgets_person')
      .on(table.userId, table.period)
      .where(sql`${table.userId} is not null`),
    uniqueIndex('budgets_group')
      .on(table.groupId, table.period)
      .where(sql`${table.groupId} is not null`),
    uniqueIndex('budgets_scope')
      .on(table.scope, table.period)
      .where(sql`${table.userId} is null and ${table.groupId} is null`),
    check('budgets_credits', sql`${table.credits} >= 0`),
    check('budgets_whose', sql`(${table.scope} = 'person') = (${table.userId} is not null)`),
    check('budgets_of_group', sql`(${table.scope} = 'group') = (${table.groupId} is not null)`),
  ],
);
