import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';

export const users = pgTable(
  'users',
  {
    id: uuid().primaryKey().defaultRandom(),
    provider: text().notNull().default('local'),
    email: text().notNull(),
    name: text().notNull(),
    username: text(),
    avatar: text(),
    role: text({ enum: ['ADMIN', 'USER'] })
      .notNull()
      .default('USER'),
    emailVerified: boolean('email_verified').notNull().default(false),
    /** Null for people who only come in through a social sign-in. */
    passwordHash: text('password_hash'),
    plugins: jsonb().$type<string[]>().notNull().default([]),
    /** Counts every change that this user's browsers are told of; see `nextChange`. */
    changeSeq: bigint('change_seq', { mode: 'number' }).notNull().default(0),
    /** Changes up to this number may have been forgotten with what they removed: a reader from before starts anew. */
    forgottenSeq: bigint('forgotten_seq', { mode: 'number' }).notNull().default(0),
    /** The number of the last change of this user's presets. */
    presetsSeq: bigint('presets_seq', { mode: 'number' }).notNull().default(0),
    /** The same of the keys that this user brought. */
    keysSeq: bigint('keys_seq', { mode: 'number' }).notNull().default(0),
    bannedUntil: timestamp('banned_until', { withTimezone: true, mode: 'string' }),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
    updatedAt: timestamp('updated_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
  },
  (table) => [uniqueIndex('users_email').on(sql`lower(${table.email})`)],
);

/** One row per refresh token ever valid. `id` is the token's SHA-256, so the table holds no live session. */
export const sessions = pgTable(
  'sessions',
  {
    id: text().primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** All tokens that came from one sign-in; ended together. */
    family: uuid().notNull(),
    expiresAt: timestamp('expires_at', { withTimezone: true, mode: 'date' }).notNull(),
    /** When the family began: no rotation carries it beyond its absolute end. */
    startedAt: timestamp('started_at', { withTimezone: true, mode: 'date' }).notNull().defaultNow(),
    /** When a newer token took its place. */
    rotatedAt: timestamp('rotated_at', { withTimezone: true, mode: 'date' }),
  },
  (table) => [index('sessions_user').on(table.userId), index('sessions_family').on(table.family)],
);

/** Who a user is elsewhere. */
export const identities = pgTable(
  'identities',
  {
    /** Who says so: `google` and the like, or the address that it was asked at where that is another one. */
    provider: text().notNull(),
    /** What it calls that person, for ever. */
    subject: text().notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.provider, table.subject] }), index('identities_user').on(table.userId)],
);
