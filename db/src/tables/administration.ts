import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
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
import { ownerId, users } from './users.ts';

/** What administrators changed: settings that act without a restart, under what the environment and the yaml file say. */
export const serverSettings = pgTable('server_settings', {
  name: text().primaryKey(),
  value: jsonb().notNull(),
  /** Counts the changes: anyone who saves names the one that was read. */
  version: integer().notNull().default(1),
  /** Null when the account is gone. */
  changedBy: uuid('changed_by').references(() => users.id, { onDelete: 'set null' }),
  changedAt: timestamp('changed_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
});

/** Providers that administrators added. */
export const providerSettings = pgTable('provider_settings', {
  /** Of the endpoint: `openAI`, or the name of one that is compatible with OpenAI's. */
  name: text().primaryKey(),
  /** A key of the endpoint table. */
  type: text().notNull(),
  /** Everything but the key: address, models, models for titles. */
  config: jsonb().$type<Record<string, unknown>>().notNull().default({}),
  /** The key, encrypted and bound to the name; null where there is none. */
  encrypted: text(),
  isOn: boolean('is_on').notNull().default(true),
  /** In the list of endpoints, lowest first. */
  position: integer().notNull().default(0),
  /** Counts the changes: anyone who saves names the one that was read. */
  version: integer().notNull().default(1),
  /** Null when the account is gone. */
  changedBy: uuid('changed_by').references(() => users.id, { onDelete: 'set null' }),
  changedAt: timestamp('changed_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
});

/**
 * What administrators set of a tool, by the key that conversations choose it by: whether it is on, and what it needs.
 * Also of services that search the web, and `assistants`. Without a row it is on, with what the environment gives.
 */
export const toolSettings = pgTable('tool_settings', {
  name: text().primaryKey(),
  /** Everything but secrets: the address of a tool server. */
  config: jsonb().$type<Record<string, unknown>>().notNull().default({}),
  /** Keys and headers as JSON, encrypted and bound to the name; null where there are none. */
  encrypted: text(),
  isOn: boolean('is_on').notNull().default(true),
  /** Counts the changes: anyone who saves names the one that was read. */
  version: integer().notNull().default(1),
  /** Null when the account is gone. */
  changedBy: uuid('changed_by').references(() => users.id, { onDelete: 'set null' }),
  changedAt: timestamp('changed_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
});

/** Links that let people register where registration is closed. */
export const invitations = pgTable(
  'invitations',
  {
    id: uuid().primaryKey().defaultRandom(),
    /** SHA-256 of the link's token in hexadecimal: the table holds no link. */
    hash: text().notNull(),
    /** The only address that may use it, in lower case; null for any. */
    email: text(),
    role: text({ enum: ['ADMIN', 'USER'] })
      .notNull()
      .default('USER'),
    /** The administrator whose right it rests on, and with whose account it goes; null for a command of the operator. */
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'cascade' }),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
    expiresAt: timestamp('expires_at', { withTimezone: true, mode: 'string' }).notNull(),
    usedAt: timestamp('used_at', { withTimezone: true, mode: 'string' }),
    usedBy: uuid('used_by').references(() => users.id, { onDelete: 'set null' }),
  },
  (table) => [uniqueIndex('invitations_hash').on(table.hash)],
);

/** People who are given something together: models, a budget. */
export const groups = pgTable(
  'groups',
  {
    id: uuid().primaryKey().defaultRandom(),
    name: text().notNull(),
    /** Counts the changes of the name: anyone who saves names the one that was read. */
    version: integer().notNull().default(1),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
  },
  (table) => [uniqueIndex('groups_name').on(sql`lower(${table.name})`)],
);

export const groupMembers = pgTable(
  'group_members',
  {
    groupId: uuid('group_id')
      .notNull()
      .references(() => groups.id, { onDelete: 'cascade' }),
    userId: ownerId(),
    /** Who put them in: an administrator, or the site or directory that they sign in by. */
    source: text({ enum: ['admin', 'oidc', 'ldap'] })
      .notNull()
      .default('admin'),
  },
  (table) => [primaryKey({ columns: [table.groupId, table.userId] }), index('group_members_user').on(table.userId)],
);

/** Who may use the models of an endpoint. Without a row everybody may. */
export const modelAccess = pgTable('model_access', {
  endpoint: text().primaryKey(),
  /** The groups that may use its models; null for everybody. A group that is gone leaves the list, which may become empty. */
  groupIds: uuid('group_ids').array(),
  /** The groups of single models, in place of those of the endpoint. */
  models: jsonb().$type<Record<string, string[]>>().notNull().default({}),
  /** Counts the changes: anyone who saves names the one that was read. */
  version: integer().notNull().default(1),
  /** Null when the account is gone. */
  changedBy: uuid('changed_by').references(() => users.id, { onDelete: 'set null' }),
  changedAt: timestamp('changed_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
});

/** Changes by administrators. No foreign keys: an event outlives the accounts that it names. */
export const auditEvents = pgTable(
  'audit_events',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: timestamp({ withTimezone: true, mode: 'string' }).notNull().defaultNow(),
    event: text().notNull(),
    /** Who did it; null for a command of the operator. */
    actorId: uuid('actor_id'),
    /** Whose account was changed; null where none was. */
    userId: uuid('user_id'),
    ip: text(),
    /** Names and figures, never a key, a password or words of a conversation. */
    details: jsonb().$type<Record<string, string | number | boolean | null>>().notNull().default({}),
  },
  (table) => [
    index('audit_events_user')
      .on(table.userId, table.id)
      .where(sql`${table.userId} is not null`),
    index('audit_events_at').on(table.at),
    index('audit_events_actor').on(table.actorId, table.id),
    check('audit_events_small', sql`pg_column_size(${table.details}) < 8000`),
  ],
);
