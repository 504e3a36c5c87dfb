import { sql } from 'drizzle-orm';
import {
  boolean,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { ownerId } from './users.ts';

/** Texts that a person inserts into the message box by a command. */
export const prompts = pgTable(
  'prompts',
  {
    userId: ownerId(),
    id: uuid().notNull(),
    /** What follows the slash. */
    command: text().notNull(),
    title: text().notNull(),
    body: text().notNull(),
    tags: text().array().notNull().default([]),
    /** Of its owner; proposed where the text is inserted. It may be gone. */
    presetId: uuid('preset_id'),
    /** The keys of tools that are proposed with it. */
    tools: text().array().notNull().default([]),
    /** Everybody on this server can use it. */
    isShared: boolean('is_shared').notNull().default(false),
    /** The number of the version with this title and text. */
    version: integer().notNull().default(1),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
    updatedAt: timestamp('updated_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
    /** In the trash since then. */
    deletedAt: timestamp('deleted_at', { withTimezone: true, mode: 'string' }),
    /** The entry of the trash that brings it back. */
    deletionId: uuid('deletion_id'),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    uniqueIndex('prompts_command')
      .on(table.userId, table.command)
      .where(sql`${table.deletedAt} is null`),
    index('prompts_shared')
      .on(table.title)
      .where(sql`${table.isShared} and ${table.deletedAt} is null`),
  ],
);

/** Titles and texts that a prompt had, and has. */
export const promptVersions = pgTable(
  'prompt_versions',
  {
    userId: uuid('user_id').notNull(),
    promptId: uuid('prompt_id').notNull(),
    n: integer().notNull(),
    title: text().notNull(),
    body: text().notNull(),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.promptId, table.n] }),
    foreignKey({ columns: [table.userId, table.promptId], foreignColumns: [prompts.userId, prompts.id] }).onDelete(
      'cascade',
    ),
  ],
);

/** How a person uses a prompt, own or shared. */
export const promptMarks = pgTable(
  'prompt_marks',
  {
    userId: ownerId(),
    ownerId: uuid('owner_id').notNull(),
    promptId: uuid('prompt_id').notNull(),
    isFavorite: boolean('is_favorite').notNull().default(false),
    uses: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.ownerId, table.promptId] }),
    foreignKey({ columns: [table.ownerId, table.promptId], foreignColumns: [prompts.userId, prompts.id] }).onDelete(
      'cascade',
    ),
    index('prompt_marks_prompt').on(table.ownerId, table.promptId),
  ],
);
