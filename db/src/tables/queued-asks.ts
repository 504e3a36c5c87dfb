import { index, integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { Attachment } from '@parley/schema/messages/messages';
import { users } from './users.ts';

/** Questions that wait until the conversation's answer ends. A browser sends them, under this id, so each is asked once. */
export const queuedAsks = pgTable(
  'queued_asks',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The id that the question's message will have. */
    id: uuid().notNull(),
    convoId: uuid('convo_id').notNull(),
    text: text().notNull(),
    files: jsonb().$type<Attachment[]>().notNull().default([]),
    position: integer().notNull(),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    index('queued_asks_convo').on(table.userId, table.convoId, table.position),
  ],
);
