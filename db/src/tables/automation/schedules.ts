import { sql } from 'drizzle-orm';
import {
  bigint,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';
import type { Attachment } from '@parley/schema/messages/messages';
import type { Reason } from '@parley/schema/reasons';
import type { ScheduleTarget } from '@parley/schema/schedules/schedule-rules';
import { ownerId } from '../users.ts';

/** Questions that servers ask by the clock. */
export const schedules = pgTable(
  'schedules',
  {
    userId: ownerId(),
    id: uuid().notNull(),
    title: text().notNull(),
    text: text().notNull(),
    files: jsonb().$type<Attachment[]>().notNull().default([]),
    target: jsonb().$type<ScheduleTarget>().notNull(),
    /** Where its conversations begin. It may be gone. */
    folderId: uuid('folder_id'),
    /** The conversation that it goes on with; null: a new one each time. It may be gone. */
    convoId: uuid('convo_id'),
    /** A rule of five fields, read in the time zone; null: asked once. */
    cron: text(),
    at: timestamp({ withTimezone: true, mode: 'string' }),
    timeZone: text('time_zone').notNull(),
    /** The slot that is asked next; null where it is not on. */
    nextAt: timestamp('next_at', { withTimezone: true, mode: 'string' }),
    state: text({ enum: ['on', 'paused', 'ended'] })
      .notNull()
      .default('on'),
    /** In a row; an answer that succeeds sets it to 0. */
    failures: integer().notNull().default(0),
    /** Grows with each change by its person. */
    version: integer().notNull().default(1),
    /** The user's change counter at its last change by its person. */
    changeSeq: bigint('change_seq', { mode: 'number' }).notNull(),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    index('schedules_due')
      .on(table.nextAt)
      .where(sql`${table.state} = 'on'`),
  ],
);

/** What became of each slot of a schedule. The key is what makes a slot asked once, over all servers. */
export const scheduleRuns = pgTable(
  'schedule_runs',
  {
    userId: uuid('user_id').notNull(),
    scheduleId: uuid('schedule_id').notNull(),
    slot: timestamp({ withTimezone: true, mode: 'string' }).notNull(),
    /** Derived from the schedule and the slot, like all ids of its exchange. */
    generationId: uuid('generation_id').notNull(),
    /** Null until the question is written: a server that dies before leaves it to another one. */
    convoId: uuid('convo_id'),
    state: text({ enum: ['asked', 'missed', 'refused'] }).notNull(),
    reason: jsonb().$type<Reason>(),
    /** When a server last took it. */
    at: timestamp({ withTimezone: true, mode: 'string' }).notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.scheduleId, table.slot] }),
    foreignKey({
      columns: [table.userId, table.scheduleId],
      foreignColumns: [schedules.userId, schedules.id],
    }).onDelete('cascade'),
    index('schedule_runs_unwritten')
      .on(table.at)
      .where(sql`${table.state} = 'asked' and ${table.convoId} is null`),
  ],
);
