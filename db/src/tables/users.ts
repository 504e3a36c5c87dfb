import { sql } from 'drizzle-orm';
import type { ApiScope } from '@parley/schema/accounts/api-key-rules';
import type { StoredSettings } from '@parley/schema/settings/interface';
import {
  type AnyPgColumn,
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';

/** What a person is found by: the words of name, user name and e-mail address, as the index has them. */
export function wordsOfPerson(table: Record<'name' | 'username' | 'email', AnyPgColumn>) {
  const text = sql`${table.name} || ' ' || coalesce(${table.username}, '') || ' ' || ${table.email}`;
  return sql`to_tsvector('simple', translate(${text}, '@.-_+', '     '))`;
}

export const users = pgTable(
  'users',
  {
    id: uuid().primaryKey().defaultRandom(),
    provider: text().notNull().default('local'),
    email: text().notNull(),
    name: text().notNull(),
    username: text(),
    /** An address, and whether the user chose it (server/src/auth/avatar-choice.ts). */
    avatar: text(),
    role: text({ enum: ['ADMIN', 'USER'] })
      .notNull()
      .default('USER'),
    emailVerified: boolean('email_verified').notNull().default(false),
    /** Null for users who only use social sign-in. */
    passwordHash: text('password_hash'),
    plugins: jsonb().$type<string[]>().notNull().default([]),
    /** The change counter: counts every change that this user's browsers are sent; see `nextChange`. */
    changeSeq: bigint('change_seq', { mode: 'number' }).notNull().default(0),
    /** Changes up to this number may have been purged: a subscriber with an older cursor must reload everything. */
    forgottenSeq: bigint('forgotten_seq', { mode: 'number' }).notNull().default(0),
    /** The number of the last change of this user's presets. */
    presetsSeq: bigint('presets_seq', { mode: 'number' }).notNull().default(0),
    /** The number of the last change of this user's saved keys. */
    keysSeq: bigint('keys_seq', { mode: 'number' }).notNull().default(0),
    /** The number of the last change of this user's settings. */
    settingsSeq: bigint('settings_seq', { mode: 'number' }).notNull().default(0),
    /** The number of the last change of this user's folders. */
    foldersSeq: bigint('folders_seq', { mode: 'number' }).notNull().default(0),
    /** The number of the last change of this user's queued questions. */
    queueSeq: bigint('queue_seq', { mode: 'number' }).notNull().default(0),
    /** The number of the last change of this user's schedules. */
    schedulesSeq: bigint('schedules_seq', { mode: 'number' }).notNull().default(0),
    /** The interface settings that differ from their defaults, by their names in `schema/src/settings/interface.ts`. */
    settings: jsonb().$type<StoredSettings>().notNull().default({}),
    /** When the account and all that is its own is deleted; null unless its owner asked for that. */
    deletionDueAt: timestamp('deletion_due_at', { withTimezone: true, mode: 'string' }),
    /**
     * Only an active account can sign in. Administrators disable it, one that waits needs their approval, and one that is
     * unconfirmed the link in the mail to its address.
     */
    state: text({ enum: ['active', 'disabled', 'waiting', 'unconfirmed'] })
      .notNull()
      .default('active'),
    /** Had a second factor at another installation that could not be brought along: adds one before anything else. */
    mustAddFactor: boolean('must_add_factor').notNull().default(false),
    bannedUntil: timestamp('banned_until', { withTimezone: true, mode: 'string' }),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
    updatedAt: timestamp('updated_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('users_email').on(sql`lower(${table.email})`),
    // Not unique: sign-in sites and imports bring names that are taken.
    index('users_username').on(sql`lower(${table.username})`),
    index('users_words').using('gin', wordsOfPerson(table)),
    index('users_administrators')
      .on(table.id)
      .where(sql`${table.role} = 'ADMIN'`),
    index('users_waiting')
      .on(table.createdAt)
      .where(sql`${table.state} = 'waiting'`),
    index('users_deletion')
      .on(table.deletionDueAt)
      .where(sql`${table.deletionDueAt} is not null`),
  ],
);

/** Whose a row is: it goes with the account. */
export function ownerId() {
  return uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' });
}

/** One row per refresh token ever valid. `id` is the token's SHA-256, so the table holds no live session. */
export const sessions = pgTable(
  'sessions',
  {
    id: text().primaryKey(),
    userId: ownerId(),
    /** All tokens that came from one sign-in; ended together. */
    family: uuid().notNull(),
    expiresAt: timestamp('expires_at', { withTimezone: true, mode: 'date' }).notNull(),
    /** When the family began: no rotation extends it beyond its absolute end. */
    startedAt: timestamp('started_at', { withTimezone: true, mode: 'date' }).notNull().defaultNow(),
    /** When a newer token replaced it. */
    rotatedAt: timestamp('rotated_at', { withTimezone: true, mode: 'date' }),
    /** When this token was issued: its session was in use then. */
    issuedAt: timestamp('issued_at', { withTimezone: true, mode: 'date' }).notNull().defaultNow(),
    /** The browser's User-Agent header when the token was issued, at most 300 characters; null if it sent none. */
    userAgent: text('user_agent'),
    /** Until when it may do what needs a recent proof of who asks, and how that was proven (server/src/auth/step-up). */
    elevatedUntil: timestamp('elevated_until', { withTimezone: true, mode: 'date' }),
    elevatedBy: text('elevated_by', { enum: ['sign_in', 'step_up', 'both'] }),
  },
  (table) => [index('sessions_user').on(table.userId), index('sessions_family').on(table.family)],
);

/** A user's identities at sign-in sites. */
export const identities = pgTable(
  'identities',
  {
    /** The identity provider: `google` and the like, or the issuer's address if it differs. */
    provider: text().notNull(),
    /** The provider's permanent id for that person. */
    subject: text().notNull(),
    userId: ownerId(),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
    /** From when on the directory is asked again whether it still knows them. Only read of the directory's identities. */
    askDueAt: timestamp('ask_due_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
    /** Since when the directory no longer lets them in; null while it does. */
    goneAt: timestamp('gone_at', { withTimezone: true, mode: 'string' }),
  },
  (table) => [
    primaryKey({ columns: [table.provider, table.subject] }),
    index('identities_user').on(table.userId),
    index('identities_ask_due')
      .on(table.askDueAt)
      .where(sql`${table.provider} = 'ldap'`),
  ],
);

/** A user's single password reset link. Stores the token's SHA-256, so that the table opens no account. */
export const passwordResets = pgTable('password_resets', {
  userId: ownerId().primaryKey(),
  tokenHash: text('token_hash').notNull(),
  expiresAt: timestamp('expires_at', { withTimezone: true, mode: 'string' }).notNull(),
  /** Whether it was mailed to the user's address: then using it proves the address. */
  mailed: boolean().notNull(),
  /** The administrator whose right it rests on; null for one that was asked for, and for a command of the operator. */
  madeBy: uuid('made_by').references(() => users.id, { onDelete: 'cascade' }),
});

/** Keys of people for programs that call this server in their name. A key that was revoked grants nothing, and stays. */
export const apiKeys = pgTable(
  'api_keys',
  {
    userId: ownerId(),
    id: uuid().notNull().defaultRandom(),
    name: text().notNull(),
    /** The SHA-256 of the key, so that the table holds none. */
    hash: text().notNull(),
    /** Its first characters, by which its owner tells it from others. */
    shown: text().notNull(),
    scopes: text().array().$type<ApiScope[]>().notNull(),
    /** The endpoints that it may ask; null: all of its owner's. */
    endpoints: text().array(),
    /** What it may spend in a month; null: as much as its owner. */
    monthlyCredits: bigint('monthly_credits', { mode: 'number' }),
    expiresAt: timestamp('expires_at', { withTimezone: true, mode: 'string' }),
    /** Written at most once a minute. */
    lastUsedAt: timestamp('last_used_at', { withTimezone: true, mode: 'string' }),
    revokedAt: timestamp('revoked_at', { withTimezone: true, mode: 'string' }),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.id] }), uniqueIndex('api_keys_hash').on(table.hash)],
);

/** What a user proves besides the password: an authenticator app or a passkey. It counts as soon as it is confirmed. */
export const factors = pgTable(
  'factors',
  {
    userId: ownerId(),
    id: uuid().notNull().defaultRandom(),
    kind: text({ enum: ['totp', 'passkey'] }).notNull(),
    /** By which its owner tells a passkey from others. */
    name: text().notNull().default(''),
    /** The shared secret of an app, encrypted for this factor; empty for a passkey. */
    encrypted: text().notNull().default(''),
    /** Of a passkey: its id and its public key, both in base64url. */
    credentialId: text('credential_id'),
    publicKey: text('public_key'),
    /** How often the passkey was used, where it counts that; 0 where it does not. */
    counter: bigint({ mode: 'number' }).notNull().default(0),
    /** How browsers reach it, such as `usb` or `internal`. */
    transports: text().array().notNull().default([]),
    /** Whether it is copied to other devices, whose counters differ. */
    isBackedUp: boolean('is_backed_up').notNull().default(false),
    lastUsedAt: timestamp('last_used_at', { withTimezone: true, mode: 'string' }),
    /** The newest time step whose code was used: it and those before it are used up. */
    lastStep: integer('last_step').notNull().default(0),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
    confirmedAt: timestamp('confirmed_at', { withTimezone: true, mode: 'string' }),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    uniqueIndex('factors_credential').on(table.credentialId),
  ],
);

/** The codes that stand in for a lost factor, each once. Stores keyed hashes. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: ownerId(),
    hash: text().notNull(),
    usedAt: timestamp('used_at', { withTimezone: true, mode: 'string' }),
  },
  (table) => [primaryKey({ columns: [table.userId, table.hash] })],
);

/**
 * Sign-ins whose password was right and whose second factor is awaited, the challenges that passkeys sign, and the links
 * that confirm an address. Stores the SHA-256 of each.
 */
export const signInTickets = pgTable(
  'sign_in_tickets',
  {
    hash: text().primaryKey(),
    /** Null while it is not known who signs in with a passkey. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    purpose: text({ enum: ['password', 'passkey', 'factor', 'enrol', 'confirm'] })
      .notNull()
      .default('password'),
    tries: integer().notNull().default(0),
    expiresAt: timestamp('expires_at', { withTimezone: true, mode: 'string' }).notNull(),
  },
  (table) => [index('sign_in_tickets_user').on(table.userId)],
);
