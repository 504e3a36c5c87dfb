import { index, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { users } from './users.ts';

/** What users brought to be asked with in their name, sealed. */
export const userKeys = pgTable(
  'user_keys',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The endpoint it is for. */
    name: text().notNull(),
    /** AES-256-GCM, bound to user and name; it says which secret opens it. */
    sealed: text().notNull(),
    /** From then on it is refused, and soon removed. Null: never. */
    expiresAt: timestamp('expires_at', { withTimezone: true, mode: 'string' }),
    updatedAt: timestamp('updated_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.name] }), index('user_keys_expiry').on(table.expiresAt)],
);
