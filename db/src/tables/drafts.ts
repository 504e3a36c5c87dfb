import { sql } from 'drizzle-orm';
import { bigint, index, integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { QueuedTarget } from '@parley/schema/chat/queue-inputs';
import type { Attachment } from '@parley/schema/messages/messages';
import { ownerId } from './users.ts';

/** Unsent text, shared by a user's browsers. An emptied draft keeps its row, because emptying is a change too. */
export const drafts = pgTable(
  'drafts',
  {
    userId: ownerId(),
    /** A conversation's id, or `new` for the new chat. */
    key: text().notNull(),
    text: text().notNull(),
    /** The files attached to it, which it keeps from being deleted as unused. */
    files: jsonb().$type<Attachment[]>().notNull().default([]),
    /** When the last key was pressed, by that browser's clock. */
    editedAt: timestamp('edited_at', { withTimezone: true, mode: 'string' }).notNull(),
    /** The user's change counter at its last change. */
    changeSeq: bigint('change_seq', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.key] }),
    index('drafts_changes').on(table.userId, table.changeSeq),
    index('drafts_emptied')
      .on(table.editedAt)
      .where(sql`${table.text} = ''`),
  ],
);

/**
 * Questions that wait until the conversation's answer ends. An open page or a server sends them, under this id, so each
 * is asked once.
 */
export const queuedAsks = pgTable(
  'queued_asks',
  {
    userId: ownerId(),
    /** The id that the question's message will have. */
    id: uuid().notNull(),
    convoId: uuid('convo_id').notNull(),
    text: text().notNull(),
    files: jsonb().$type<Attachment[]>().notNull().default([]),
    /** What it is asked with; null: with what the conversation was asked with last. */
    target: jsonb().$type<QueuedTarget>(),
    /** No server sends it until then: `infinity` while a page has a reason to wait, a minute while a server sends it. */
    heldUntil: timestamp('held_until', { withTimezone: true, mode: 'string' }),
    position: integer().notNull(),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    index('queued_asks_convo').on(table.userId, table.convoId, table.position),
  ],
);
