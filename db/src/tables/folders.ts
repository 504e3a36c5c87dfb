import { sql } from 'drizzle-orm';
import { index, integer, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { ownerId } from './users.ts';

/** A user's named groups of conversations. */
export const folders = pgTable(
  'folders',
  {
    userId: ownerId(),
    id: uuid().notNull(),
    name: text().notNull(),
    /** A name of the theme's colours; null: none. */
    color: text(),
    /** New chats in the folder start from this preset, if it still exists. */
    presetId: uuid('preset_id'),
    /** Instructions that chats in the folder start with, before their own. */
    instructions: text().notNull().default(''),
    /** Who else than its owner wrote the instructions last; null: the owner. */
    editedBy: uuid('edited_by'),
    /** Keys of tools that new chats in the folder begin with. */
    tools: text().array().notNull().default([]),
    /** Its owner's sets whose files it has beside its own, as they are at each question. */
    setIds: uuid('set_ids').array().notNull().default([]),
    /**
     * Set on a link to a folder that another person shares: its name, instructions, files, sets and tools are that one's
     * while the access lasts. Nobody's once their account is gone.
     */
    sourceOwnerId: uuid('source_owner_id'),
    sourceId: uuid('source_id'),
    /** Folders are listed by it, then by name. */
    position: integer().notNull().default(0),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
    updatedAt: timestamp('updated_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    index('folders_list').on(table.userId, table.position),
    // Finds all links to one, of which a person has at most one.
    index('folders_source')
      .on(table.sourceOwnerId, table.sourceId, table.userId)
      .where(sql`${table.sourceId} is not null`),
  ],
);
