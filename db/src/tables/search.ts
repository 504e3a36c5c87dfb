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

// The search index. Triggers update these three tables in the transaction that writes the message or the title, but for
// questions and their replies, whose entries follow the end of the answer; see the migrations `search` and
// `search_replies`. The tables
// have no foreign keys: the triggers also delete, and a check for every new word would cost more than the word.

/** Text in byte order, so that words with a common prefix are neighbours in every locale. */
const bytewise = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' });

/**
 * A searchable message, or the title of a conversation. `words` holds a number for each distinct word, the hash of
 * owner and word, so that one index over all users has a separate list for each user's word.
 */
export const searchEntries = pgTable(
  'search_entries',
  {
    userId: uuid('user_id').notNull(),
    isTitle: boolean('is_title').notNull(),
    /** The message, or the conversation whose title it is. */
    id: uuid().notNull(),
    convoId: uuid('convo_id').notNull(),
    /**
     * When the message was written or the conversation begun, in microseconds since 1970; imported ones keep their old
     * times.
     */
    writtenAt: bigint('written_at', { mode: 'number' }).notNull(),
    /** Increases with time: a message's `seq`, or the change that set the title. */
    seq: bigint({ mode: 'number' }).notNull(),
    words: integer().array().notNull(),
    /** The folded text, for what words alone cannot match: phrases, signs, the order of characters. */
    body: text().notNull(),
    /** The length of what was said, in `body`; what tools said follows. Null where no tool said anything. */
    saidLength: integer('said_length'),
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

/** Every word that a user's entries have ever contained, so that a part of a word finds the whole words. */
export const searchWords = pgTable(
  'search_words',
  {
    userId: uuid('user_id').notNull(),
    word: bytewise().notNull(),
    /** A number for each trigram; null for words too short or without inner parts. */
    grams: integer().array(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.word] }),
    index('search_words_grams')
      .using('gin', table.grams)
      .where(sql`${table.grams} is not null`),
  ],
);

/** Words of deleted entries: the next sweep removes those that no entry contains any more. */
export const searchLeftovers = pgTable(
  'search_leftovers',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    userId: uuid('user_id').notNull(),
    words: integer().array().notNull(),
  },
  (table) => [index('search_leftovers_user').on(table.userId, table.id)],
);
