import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';
import type { GenerationEvent } from '@parley/schema/events';
import type { Usage } from '@parley/schema/messages';
import type { Reason } from '@parley/schema/reasons';
import { users } from './users.ts';

/** One run that fills a reply. The row stays after the end: it makes asks idempotent and usage accountable. */
export const generations = pgTable(
  'generations',
  {
    id: uuid().primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    convoId: uuid('convo_id').notNull(),
    requestId: uuid('request_id').notNull(),
    replyId: uuid('reply_id').notNull(),
    kind: text({ enum: ['send', 'regenerate', 'continue', 'edit'] }).notNull(),
    endpoint: text().notNull(),
    model: text(),
    /** The server process that runs it. Every write of a run names owner and epoch, so that a run taken over loses. */
    owner: uuid().notNull(),
    epoch: integer().notNull().default(1),
    leaseUntil: timestamp('lease_until', { withTimezone: true, mode: 'string' }).notNull(),
    stopRequested: boolean('stop_requested').notNull().default(false),
    endedAt: timestamp('ended_at', { withTimezone: true, mode: 'string' }),
    usage: jsonb().$type<Usage>(),
    /** Credits set aside for it until it is settled. */
    reservation: bigint({ mode: 'number' }),
    reason: jsonb().$type<Reason>(),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
  },
  (table) => [
    index('generations_running')
      .on(table.leaseUntil)
      .where(sql`${table.endedAt} is null`),
    index('generations_reply').on(table.userId, table.replyId),
  ],
);

/**
 * The log of what is still happening; a generation's rows go when its reply is saved. No foreign key: the
 * write-behind is one statement for many generations, and one that is gone must not fail the others.
 */
export const generationEvents = pgTable(
  'generation_events',
  {
    generationId: uuid('generation_id').notNull(),
    seq: integer().notNull(),
    event: jsonb().$type<GenerationEvent>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.generationId, table.seq] })],
);

/** A stop that came before its ask leaves a mark that the ask honours. */
export const earlyStops = pgTable(
  'early_stops',
  {
    userId: uuid('user_id').notNull(),
    generationId: uuid('generation_id').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.generationId] })],
);
