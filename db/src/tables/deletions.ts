import { index, integer, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { DeletionKind } from '@parley/schema/deletions';
import { users } from './users.ts';

/** What was deleted in one go: a row of the bin. Conversations and messages that belong to it carry its id. */
export const deletions = pgTable(
  'deletions',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    id: uuid().notNull(),
    kind: text().$type<DeletionKind>().notNull(),
    /** The conversation, or the one the messages are of; null when it was many. */
    convoId: uuid('convo_id'),
    /** A conversation's title or how a message began. */
    label: text().notNull(),
    /** How many conversations or messages. */
    count: integer().notNull(),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    index('deletions_bin').on(table.userId, table.createdAt, table.id),
    index('deletions_age').on(table.createdAt),
  ],
);
