import { pgTable, text, timestamp } from 'drizzle-orm/pg-core';

/** Rate limit windows, shared by all server processes. */
export const limits = pgTable('limits', {
  /** What is counted and for whom: `login:ip:203.0.113.9`. */
  key: text().primaryKey(),
  /** Times of the allowed attempts in the window that ended with the last of them; at most as many as the limit. */
  hits: timestamp({ withTimezone: true, mode: 'string' }).array().notNull(),
  /** When the last of them leaves the window. */
  expiresAt: timestamp('expires_at', { withTimezone: true, mode: 'string' }).notNull(),
});
