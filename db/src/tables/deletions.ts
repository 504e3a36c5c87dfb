import { index, integer, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { DeletionKind } from '@parley/schema/convos/deletions';
import { ownerId } from './users.ts';

/** Entries of the trash: one per deletion. The deleted conversations and messages carry its id. */
export const deletions = pgTable(
  'deletions',
  {
    userId: ownerId(),
    id: uuid().notNull(),
    kind: text().$type<DeletionKind>().notNull(),
    /** The conversation, or the conversation of the messages; null when there were several. */
    convoId: uuid('convo_id'),
    /** A conversation's title, or the beginning of a message. */
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
