import { index, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';
import { ownerId } from './users.ts';

/** Provider keys that users saved, encrypted. */
export const userKeys = pgTable(
  'user_keys',
  {
    userId: ownerId(),
    /** The endpoint it is for. */
    name: text().notNull(),
    /** AES-256-GCM, bound to user and name; names the secret that opens it. */
    /** The column has its first name until a later release drops it. */
    encrypted: text('sealed').notNull(),
    /** After this time it is refused, and soon deleted. Null: never. */
    expiresAt: timestamp('expires_at', { withTimezone: true, mode: 'string' }),
    updatedAt: timestamp('updated_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.name] }), index('user_keys_expiry').on(table.expiresAt)],
);
