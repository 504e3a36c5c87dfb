import { sql } from 'drizzle-orm';
import { bigint, boolean, check, index, numeric, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { users } from './users.ts';

/** A user's balance in credits: a million credits are one US dollar. */
export const balances = pgTable(
  'balances',
  {
    userId: uuid('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
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
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    convoId: uuid('convo_id'),
    generationId: uuid('generation_id'),
    tokenType: text('token_type', { enum: ['prompt', 'completion', 'credits'] }).notNull(),
    model: text(),
    /** What it was spent on. */
    context: text({ enum: ['message', 'title', 'plugins', 'summary', 'incomplete', 'added'] }).notNull(),
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
