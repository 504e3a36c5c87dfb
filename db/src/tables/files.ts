import { sql } from 'drizzle-orm';
import {
  bigint,
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
import type { FileContext, FileSource } from '@parley/schema/files/stored-file';
import { ownerId } from './users.ts';

/** Bytes in a store, once for each user who has them: sharing across users would tell who has what. */
export const blobs = pgTable(
  'blobs',
  {
    userId: uuid('user_id').notNull(),
    /** SHA-256 of the bytes as they are stored, in hexadecimal. */
    hash: text().notNull(),
    store: text().$type<FileSource>().notNull(),
    bytes: bigint({ mode: 'number' }).notNull(),
    /** `arriving` until the store has them, `leaving` once no file needs them. Either is swept up after a crash. */
    state: text().$type<'arriving' | 'stored' | 'leaving'>().notNull(),
    since: timestamp({ withTimezone: true, mode: 'string' }).notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.hash] }),
    index('blobs_unsettled')
      .on(table.since)
      .where(sql`${table.state} <> 'stored'`),
  ],
);

export const files = pgTable(
  'files',
  {
    userId: ownerId(),
    id: uuid().notNull(),
    /** Of its blob; null for a file whose bytes are not in our store. */
    hash: text(),
    /** The id the client gave the upload; sending it again answers with this file. */
    temporaryId: text('temporary_id'),
    name: text().notNull(),
    mime: text().notNull(),
    bytes: bigint({ mode: 'number' }).notNull(),
    width: integer(),
    height: integer(),
    context: text().$type<FileContext>().notNull(),
    source: text().$type<FileSource>().notNull(),
    embedded: boolean().notNull().default(false),
    /** It is deleted then unless it is used before; null once it is used. */
    expiresAt: timestamp('expires_at', { withTimezone: true, mode: 'string' }),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
    updatedAt: timestamp('updated_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    index('files_newest').on(table.userId, table.updatedAt),
    // Sent again, an upload finds its file; two at once make one file.
    uniqueIndex('files_temporary')
      .on(table.userId, table.temporaryId)
      .where(sql`${table.temporaryId} is not null`),
    index('files_blob').on(table.userId, table.hash),
    index('files_expiring')
      .on(table.expiresAt)
      .where(sql`${table.expiresAt} is not null`),
  ],
);

/** What uses a file. Once the last use was deleted permanently, the file is deleted too. */
export const fileUses = pgTable(
  'file_uses',
  {
    userId: uuid('user_id').notNull(),
    fileId: uuid('file_id').notNull(),
    /** `owner` where its person keeps it among their files, whatever else uses it. */
    kind: text().$type<'message' | 'avatar' | 'assistant' | 'folder' | 'set' | 'skill' | 'owner'>().notNull(),
    /** The id of the message, user, assistant, folder, set or skill. */
    ref: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.fileId, table.kind, table.ref] }),
    foreignKey({ columns: [table.userId, table.fileId], foreignColumns: [files.userId, files.id] }).onDelete('cascade'),
    index('file_uses_by').on(table.userId, table.kind, table.ref),
  ],
);

/** A user's named sets of files, whose files are their uses. */
export const fileSets = pgTable(
  'file_sets',
  {
    userId: ownerId(),
    id: uuid().notNull(),
    name: text().notNull(),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
    updatedAt: timestamp('updated_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.id] })],
);
