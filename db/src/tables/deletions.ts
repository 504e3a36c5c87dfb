import { index, integer, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { DeletionKind } from '@parley/schema/convos/deletions';
import { ownerId } from './users.ts';

/** Entries of the trash: one per deletion. What is deleted carries its id. */
export const deletions = pgTable(
  'deletions',
  {
    userId: ownerId(),
    id: uuid().notNull(),
    kind: text().$type<DeletionKind>().notNull(),
    /** The conversation, or the conversation of the messages; null when there were several. */
    convoId: uuid('convo_id'),
    /** The title of a conversation or a prompt, the beginning of a message, or an assistant's name. */
    label: text().notNull(),
    /** How many of its kind. */
    count: integer().notNull(),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    index('deletions_bin').on(table.userId, table.createdAt, table.id),
    index('deletions_age').on(table.createdAt),
  ],
);
