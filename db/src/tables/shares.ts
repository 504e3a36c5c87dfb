import { boolean, index, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { SharedSnapshot } from '@parley/schema/convos/shares';
import { ownerId } from './users.ts';

/** Links to read-only copies of conversations. A copy changes only when its owner updates it. */
export const shares = pgTable(
  'shares',
  {
    /** Random, 128 bits: who knows it may read. */
    id: text().primaryKey(),
    userId: ownerId(),
    convoId: uuid('convo_id').notNull(),
    /** The last message of the shared branch; null: the whole tree. */
    leafId: uuid('leaf_id'),
    /** The last message of each answer side by side that it shows; null: it shows one branch, or the whole tree. */
    columnIds: uuid('column_ids').array(),
    /** Whether the page names its owner. */
    showsName: boolean('shows_name').notNull().default(false),
    thread: jsonb().$type<SharedSnapshot>().notNull(),
    expiresAt: timestamp('expires_at', { withTimezone: true, mode: 'string' }),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
    updatedAt: timestamp('updated_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
  },
  (table) => [
    index('shares_user').on(table.userId, table.createdAt),
    index('shares_convo').on(table.userId, table.convoId),
  ],
);
