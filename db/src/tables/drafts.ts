import { sql } from 'drizzle-orm';
import { bigint, index, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { users } from './users.ts';

/** What is typed and not sent, shared by a user's browsers. An emptied draft stays as a row: that too is news. */
export const drafts = pgTable(
  'drafts',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** A conversation's id, or `new` for the chat that was not sent to yet. */
    key: text().notNull(),
    text: text().notNull(),
    /** When the last key was pressed, by the clock of that browser. */
    editedAt: timestamp('edited_at', { withTimezone: true, mode: 'string' }).notNull(),
    /** The user's change counter at its last change. */
    changeSeq: bigint('change_seq', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.key] }),
    index('drafts_changes').on(table.userId, table.changeSeq),
    index('drafts_emptied')
      .on(table.editedAt)
      .where(sql`${table.text} = ''`),
  ],
);
