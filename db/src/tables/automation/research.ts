import { bigint, foreignKey, integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { AskInput } from '@parley/schema/chat/ask';
import type { ResearchPlan } from '@parley/schema/chat/research';
import type { Usage } from '@parley/schema/catalog/usage';
import type { WebSource } from '@parley/schema/tools/web-sources';
import { messages } from '../messages.ts';

/** Replies that are researched in steps: all that another process needs to go on with one. */
export const researchRuns = pgTable(
  'research_runs',
  {
    userId: uuid('user_id').notNull(),
    replyId: uuid('reply_id').notNull(),
    /** The run that works at it, or did last: the plan is made by one run and carried out by the next. */
    generationId: uuid('generation_id').notNull(),
    /** `writing`: no further step begins. */
    state: text({ enum: ['planning', 'waiting', 'working', 'writing', 'ended'] }).notNull(),
    /** The ask of that run, without its question: another process resolves it again, with the rights of then. */
    ask: jsonb().$type<AskInput>().notNull(),
    /** Null until it is made. */
    plan: jsonb().$type<ResearchPlan>(),
    /** In credits; null until there is a plan. */
    budget: bigint({ mode: 'number' }),
    /** Grows with each change of the plan by its person. */
    version: integer().notNull().default(1),
    /** What the run has paid so far, in credits, and for which usage. */
    spent: bigint({ mode: 'number' }).notNull().default(0),
    usage: jsonb().$type<Usage>(),
    /** Those that the notes name. */
    sources: jsonb().$type<Omit<WebSource, 'snippet'>[]>().notNull().default([]),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
    updatedAt: timestamp('updated_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.replyId] }),
    foreignKey({ columns: [table.userId, table.replyId], foreignColumns: [messages.userId, messages.id] }).onDelete(
      'cascade',
    ),
  ],
);

/** What each step has found out. A step's notes and its charge are written together, so that no step is paid twice. */
export const researchNotes = pgTable(
  'research_notes',
  {
    userId: uuid('user_id').notNull(),
    replyId: uuid('reply_id').notNull(),
    stepId: text('step_id').notNull(),
    n: integer().notNull().default(1),
    text: text().notNull(),
    /** The numbers of the sources that it names. */
    sourceIds: integer('source_ids').array().notNull(),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.replyId, table.stepId, table.n] }),
    foreignKey({
      columns: [table.userId, table.replyId],
      foreignColumns: [researchRuns.userId, researchRuns.replyId],
    }).onDelete('cascade'),
  ],
);
