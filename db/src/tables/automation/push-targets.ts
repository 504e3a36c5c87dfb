import { jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { ownerId } from '../users.ts';

/** Browsers that get notices by push. */
export const pushTargets = pgTable(
  'push_targets',
  {
    userId: ownerId(),
    id: uuid().notNull(),
    /** The session that registered it, as `sessions.family`: without that session nothing is sent to it. */
    sid: uuid().notNull(),
    /** An address of a push service, which names the browser. One account has it at a time. */
    endpoint: text().notNull().unique(),
    /** Those of the browser, with which messages to it are encrypted; sealed for the account. */
    keys: jsonb().$type<{ sealed: string }>().notNull(),
    userAgent: text('user_agent').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
    /** When the last message failed; null where it was accepted. */
    failedAt: timestamp('failed_at', { withTimezone: true, mode: 'string' }),
  },
  (table) => [primaryKey({ columns: [table.userId, table.id] })],
);
