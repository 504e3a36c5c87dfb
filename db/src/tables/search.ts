import { sql } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  boolean,
  customType,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';

// Triggers keep these three in the transaction that writes the message or the title; see the migration `search`.
// They have no foreign keys: the triggers also remove, and a check for every new word would cost more than the word.

/** Text ordered by its bytes, so that words with a common beginning are neighbours under every locale. */
const bytewise = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' });

/**
 * What can be found: a message, or the title of a conversation. `words` holds a number for each distinct word, the
 * hash of owner and word, so that one index over all users keeps a list of its own for each user's word.
 */
export const searchEntries = pgTable(
  'search_entries',
  {
    userId: uuid('user_id').notNull(),
    isTitle: boolean('is_title').notNull(),
    /** The message, or the conversation whose title it is. */
    id: uuid().notNull(),
    convoId: uuid('convo_id').notNull(),
    /** When the message was written or the conversation begun, in microseconds since 1970: what was imported is old. */
    writtenAt: bigint('written_at', { mode: 'number' }).notNull(),
    /** What came later is greater: a message's own number, or the change that gave the title. */
    seq: bigint({ mode: 'number' }).notNull(),
    words: integer().array().notNull(),
    /** The folded text, for what words alone cannot tell: phrases, signs, the order of characters. */
    body: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.isTitle, table.id] }),
    index('search_entries_newest').on(table.userId, table.isTitle, table.writtenAt, table.seq),
    index('search_entries_messages')
      .using('gin', table.words)
      .where(sql`not ${table.isTitle}`),
    index('search_entries_titles')
      .using('gin', table.words)
      .where(sql`${table.isTitle}`),
  ],
);

/** Every word that a user's entries ever held, so that a part of a word leads to the words around it. */
export const searchWords = pgTable(
  'search_words',
  {
    userId: uuid('user_id').notNull(),
    word: bytewise().notNull(),
    /** A number for each three characters in a row; null for words too short or without inner parts. */
    grams: integer().array(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.word] }),
    index('search_words_grams')
      .using('gin', table.grams)
      .where(sql`${table.grams} is not null`),
  ],
);

/** Words of entries that are gone: those that no entry holds any more are forgotten by the next sweep. */
export const searchLeftovers = pgTable(
  'search_leftovers',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    userId: uuid('user_id').notNull(),
    words: integer().array().notNull(),
  },
  (table) => [index('search_leftovers_user').on(table.userId, table.id)],
);
