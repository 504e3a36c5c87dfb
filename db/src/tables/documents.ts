import { sql } from 'drizzle-orm';
import {
  customType,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  real,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';
import type { DocumentReason, DocumentState } from '@parley/schema/files/documents';
import { files } from './files.ts';

// The text of files, in chunks that are found by their words and by their meaning. Deleting a file deletes all of it.

const bits = customType<{ data: string }>({ dataType: () => 'bit varying' });
const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' });

/** The state of a file's text, and at the same time the queue of the index: anyone who holds the lease works on it. */
export const documents = pgTable(
  'documents',
  {
    userId: uuid('user_id').notNull(),
    fileId: uuid('file_id').notNull(),
    state: text().$type<DocumentState>().notNull(),
    pages: integer(),
    chunks: integer().notNull().default(0),
    /** An estimate for the whole text. */
    tokens: integer().notNull().default(0),
    /** The embeddings model of its vectors; null while it is found by its words alone. */
    model: text(),
    /** Of one that waits: `timed_out` once the first, short time was not enough to read it. */
    reason: text().$type<DocumentReason>(),
    /** Of a text whose encoding was guessed, and may be wrong. */
    encoding: text(),
    /** The server process that works on it. */
    owner: uuid(),
    /** Until then nobody else takes it; without an owner it rests after a failure. */
    leaseUntil: timestamp('lease_until', { withTimezone: true, mode: 'string' }),
    /** How often it was taken in this state: a file that ends its process each time must not do so for ever. */
    attempts: integer().notNull().default(0),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.fileId] }),
    foreignKey({ columns: [table.userId, table.fileId], foreignColumns: [files.userId, files.id] }).onDelete('cascade'),
    index('documents_queue')
      .on(table.createdAt)
      .where(sql`${table.state} in ('queued', 'reading', 'embedding')`),
  ],
);

/**
 * Deleted files that the service at RAG_API_URL still has to forget. A trigger on `documents` writes them, whatever the
 * files were deleted with; they outlive their user.
 */
export const ragRemovals = pgTable(
  'rag_removals',
  {
    userId: uuid('user_id').notNull(),
    fileId: uuid('file_id').notNull(),
    attempts: integer().notNull().default(0),
    /** Until then no process tries it. */
    retryAt: timestamp('retry_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.fileId] }), index('rag_removals_due').on(table.retryAt)],
);

export const chunks = pgTable(
  'chunks',
  {
    userId: uuid('user_id').notNull(),
    fileId: uuid('file_id').notNull(),
    /** Its place in the file, from 0. */
    n: integer().notNull(),
    page: integer(),
    heading: text(),
    body: text().notNull(),
    tokens: integer().notNull(),
    /**
     * A number for each distinct word, split and folded as those of messages are. It is the hash of file and word, so
     * that one index over all files has a separate list for each file's word.
     */
    words: integer()
      .array()
      .notNull()
      .generatedAlwaysAs(sql`chunk_words(heading, body, file_id)`),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.fileId, table.n] }),
    foreignKey({
      columns: [table.userId, table.fileId],
      foreignColumns: [documents.userId, documents.fileId],
    }).onDelete('cascade'),
    index('chunks_words').using('gin', table.words),
  ],
);

/** The embedding of a chunk: its signs, which are compared first, and its values as eight-bit numbers, for the rest. */
export const chunkVectors = pgTable(
  'chunk_vectors',
  {
    userId: uuid('user_id').notNull(),
    fileId: uuid('file_id').notNull(),
    n: integer().notNull(),
    model: text().notNull(),
    bits: bits().notNull(),
    vec: bytes().notNull(),
    /** A value is its eight-bit number times this. */
    scale: real().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.fileId, table.n] }),
    foreignKey({
      columns: [table.userId, table.fileId, table.n],
      foreignColumns: [chunks.userId, chunks.fileId, chunks.n],
    }).onDelete('cascade'),
  ],
);
