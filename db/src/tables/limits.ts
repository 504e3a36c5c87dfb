import { index, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';
import { ownerId } from './users.ts';

/** A user's violations, counted by kind. */
export const violations = pgTable(
  'violations',
  {
    userId: ownerId(),
    type: text().notNull(),
    count: integer().notNull(),
    /** The sum of the scores. */
    score: integer().notNull(),
    updatedAt: timestamp('updated_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.type] })],
);

/** Temporarily banned networks. Users carry their own ban. */
export const networkBans = pgTable(
  'network_bans',
  {
    network: text().primaryKey(),
    until: timestamp({ withTimezone: true, mode: 'string' }).notNull(),
  },
  (table) => [index('network_bans_until').on(table.until)],
);

/** Rate limit windows, shared by all server processes. */
export const limits = pgTable('limits', {
  /** What is counted and for whom: `login:ip:203.0.113.9`. */
  key: text().primaryKey(),
  /** Times of the allowed attempts in the window that ended with the last of them; at most as many as the limit. */
  hits: timestamp({ withTimezone: true, mode: 'string' }).array().notNull(),
  /** When the last of them leaves the window. */
  expiresAt: timestamp('expires_at', { withTimezone: true, mode: 'string' }).notNull(),
});
