import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { Column } from '@parley/schema/chat/columns';
import type { Fork } from '@parley/schema/convos/convos';
import type { EndpointType } from '@parley/schema/catalog/endpoints';
import type { Settings } from '@parley/schema/catalog/params';
import type { ThreadIds } from '@parley/schema/chat/provider-thread';
import type { MemoryScope } from '@parley/schema/settings/memory-mode';
import { ownerId } from './users.ts';

/** Keyed by owner first: an id that a client made can never reach another user's row. */
export const convos = pgTable(
  'convos',
  {
    userId: ownerId(),
    id: uuid().notNull(),
    title: text(),
    /** Who gave the title: a generated one never replaces a person's. */
    titledBy: text('titled_by', { enum: ['user', 'model'] }),
    /** When it was given a title that no client has fetched yet. */
    titledAt: timestamp('titled_at', { withTimezone: true, mode: 'string' }),
    endpoint: text().notNull(),
    endpointType: text('endpoint_type').$type<EndpointType>().notNull(),
    model: text(),
    settings: jsonb().$type<Settings>().notNull().default({}),
    /** The provider's thread ids after its newest reply. */
    threadIds: jsonb('upstream').$type<ThreadIds>(),
    /** The generation that is writing in it now. */
    running: uuid(),
    /**
     * How many runs of a question to several models are still writing; 0 for any other. A counter on the row: ends at the
     * same moment each read it again after waiting for the row's lock.
     */
    runsLeft: smallint('runs_left').notNull().default(0),
    /** Whom the next question is asked, side by side; null: one model. */
    columns: jsonb().$type<Column[]>(),
    isPinned: boolean('is_pinned').notNull().default(false),
    /** Its place among the pinned ones, which its user has arranged; null: above those, by its date. */
    pinPosition: integer('pin_position'),
    isArchived: boolean('is_archived').notNull().default(false),
    /** A reply has ended here that its user has not looked at. */
    isUnread: boolean('is_unread').notNull().default(false),
    /** Null: in no folder. A folder that is deleted leaves its conversations. */
    folderId: uuid('folder_id'),
    /** A temporary chat: in no list and no search, purged at this time. */
    temporaryUntil: timestamp('temporary_until', { withTimezone: true, mode: 'string' }),
    /** The message of another conversation that this one was forked from. */
    forkedFrom: jsonb('forked_from').$type<Fork>(),
    /** The user's change counter at this row's last change: the cursor of the `changes` feed. */
    changeSeq: bigint('change_seq', { mode: 'number' }).notNull(),
    /** The change counter at the last change of its messages, so that a browser reloads them only then. */
    messagesSeq: bigint('messages_seq', { mode: 'number' }).notNull().default(0),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
    updatedAt: timestamp('updated_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
    /** When it was imported or came back from the trash: it is not old before it has been here for as long. */
    arrivedAt: timestamp('arrived_at', { withTimezone: true, mode: 'string' }),
    /** Another's words are in it: it was imported, or copied from a link. Copies of it have the same. */
    origin: text({ enum: ['import', 'share'] }),
    deletedAt: timestamp('deleted_at', { withTimezone: true, mode: 'string' }),
    /** Rows deleted together share it, so that one undo restores them. */
    deletionId: uuid('deletion_id'),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    // Scanned backwards. Drizzle's `.desc()` would put nulls last, but `order by ... desc` puts them first and would
    // not use the index.
    index('convos_list')
      .on(table.userId, table.isArchived, table.updatedAt, table.id)
      .where(sql`${table.deletedAt} is null`),
    index('convos_pinned')
      .on(table.userId, table.updatedAt)
      .where(sql`${table.isPinned} and ${table.deletedAt} is null`),
    index('convos_folder')
      .on(table.userId, table.folderId, table.updatedAt)
      .where(sql`${table.folderId} is not null and ${table.deletedAt} is null`),
    index('convos_temporary')
      .on(table.temporaryUntil)
      .where(sql`${table.temporaryUntil} is not null`),
    index('convos_changes').on(table.userId, table.changeSeq),
    index('convos_deleted')
      .on(table.deletedAt)
      .where(sql`${table.deletedAt} is not null`),
    index('convos_deletion')
      .on(table.userId, table.deletionId)
      .where(sql`${table.deletionId} is not null`),
  ],
);

/** Sentences that models are shown in later chats. */
export const memories = pgTable(
  'memories',
  {
    userId: ownerId(),
    id: uuid().notNull(),
    /** Where it is shown: empty for all chats, `folder:<id>` or `assistant:<id>`. */
    scope: text().$type<MemoryScope>().notNull().default(''),
    text: text().notNull(),
    /** Who wrote it. */
    source: text({ enum: ['person', 'model'] })
      .notNull()
      .default('person'),
    /** The conversation and the reply that it comes from; they may be gone. */
    convoId: uuid('convo_id'),
    messageId: uuid('message_id'),
    /** How many answers were shown it, and when the last one was. */
    uses: integer().notNull().default(0),
    usedAt: timestamp('used_at', { withTimezone: true, mode: 'string' }),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
    updatedAt: timestamp('updated_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    index('memories_shown').on(table.userId, table.scope, table.usedAt),
    uniqueIndex('memories_text').on(table.userId, table.scope, sql`lower(${table.text})`),
  ],
);
