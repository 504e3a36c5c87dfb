import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';
import type { GenerationEvent } from '@parley/schema/generation/events';
import type { Usage } from '@parley/schema/catalog/usage';
import type { Reason } from '@parley/schema/reasons';
import { ownerId } from './users.ts';

/**
 * One run that writes a reply, one call of a program by a key, or one call beside a reply. The row stays after the end: it
 * makes asks idempotent and usage accountable.
 */
export const generations = pgTable(
  'generations',
  {
    id: uuid().primaryKey(),
    userId: ownerId(),
    /**
     * Null for a call of a program. Speech, and rows of versions before 0.9, have their own id here and in the two below.
     */
    convoId: uuid('convo_id'),
    /** The question and the reply of a run that writes a reply; null for every other call. */
    requestId: uuid('request_id'),
    replyId: uuid('reply_id'),
    /**
     * What the reply is for, `api` for a call of a program, or `speech` for a recording that is written down or a text that
     * is read aloud; the last three are calls beside a reply, which have ended when they are written.
     */
    kind: text({
      enum: ['send', 'regenerate', 'continue', 'edit', 'resume', 'api', 'speech', 'title', 'summary', 'picture'],
    }).notNull(),
    endpoint: text().notNull(),
    model: text(),
    /**
     * The server process that runs it. Every write of a run checks owner and epoch, so that the old owner loses after a
     * takeover.
     */
    owner: uuid().notNull(),
    epoch: integer().notNull().default(1),
    leaseUntil: timestamp('lease_until', { withTimezone: true, mode: 'string' }).notNull(),
    /** Shared by the runs of one question to several models. */
    groupId: uuid('group_id'),
    stopRequested: boolean('stop_requested').notNull().default(false),
    endedAt: timestamp('ended_at', { withTimezone: true, mode: 'string' }),
    usage: jsonb().$type<Usage>(),
    /** Credits of its user's balance that are reserved for it until it ends. */
    reservation: bigint({ mode: 'number' }),
    /** Credits that it may spend of the budgets until it ends. */
    budgeted: bigint({ mode: 'number' }),
    /**
     * What it has cost, once it has ended, whether or not anybody is charged; null where no process has reckoned it. Until
     * then, what a program's call sets aside of the limit of its key.
     */
    credits: bigint({ mode: 'number' }),
    /** The key by which a program made the call; null for people. */
    apiKeyId: uuid('api_key_id'),
    /** Its usage is not in `usage_days` yet. */
    isUncounted: boolean('is_uncounted').notNull().default(true),
    reason: jsonb().$type<Reason>(),
    /** Its reply is saved, and the search entries of the reply and of its question are still to be written. */
    isUnindexed: boolean('is_unindexed').notNull().default(false),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
  },
  (table) => [
    check(
      'generations_of_reply',
      sql`${table.kind} in ('api', 'title', 'summary', 'picture')
        or num_nulls(${table.convoId}, ${table.requestId}, ${table.replyId}) = 0`,
    ),
    index('generations_running')
      .on(table.leaseUntil)
      .where(sql`${table.endedAt} is null`),
    index('generations_reply').on(table.userId, table.replyId),
    index('generations_api_key')
      .on(table.apiKeyId, table.createdAt)
      .where(sql`${table.apiKeyId} is not null`),
    index('generations_unindexed')
      .on(table.endedAt)
      .where(sql`${table.isUnindexed}`),
    index('generations_failed')
      .on(table.endedAt)
      .where(sql`${table.reason} is not null`),
    index('generations_uncounted')
      .on(table.userId)
      .where(sql`${table.isUncounted} and ${table.endedAt} is not null`),
  ],
);

/**
 * The event logs of running generations; a generation's rows are deleted when its reply is saved. No foreign key: one
 * statement flushes many generations, and a deleted one must not fail the others.
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

/** Stops that arrived before their ask; the ask then honours them. */
export const earlyStops = pgTable(
  'early_stops',
  {
    userId: uuid('user_id').notNull(),
    generationId: uuid('generation_id').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.generationId] })],
);
