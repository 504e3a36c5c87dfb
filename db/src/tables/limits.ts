import { integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';

/** Counters of attempts per window, shared by all server processes. */
export const limits = pgTable(
  'limits',
  {
    /** What is counted, for whom: `login:ip:203.0.113.9`. */
    key: text().notNull(),
    windowStart: timestamp('window_start', { withTimezone: true, mode: 'string' }).notNull(),
    count: integer().notNull(),
    expiresAt: timestamp('expires_at', { withTimezone: true, mode: 'string' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.key, table.windowStart] })],
);
