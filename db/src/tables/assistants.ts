import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  foreignKey,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';
import type {
  ActionSettings,
  AssistantMetadata,
  AssistantTool,
  FileSource,
} from '@parley/schema/assistants/assistants';
import { ownerId } from './users.ts';

export const assistants = pgTable(
  'assistants',
  {
    userId: ownerId(),
    /** `asst_` and 24 letters or digits. */
    id: text().notNull(),
    /** The endpoint that answers; null for the operator's default. */
    endpoint: text(),
    model: text().notNull(),
    name: text(),
    description: text(),
    instructions: text(),
    tools: jsonb().$type<AssistantTool[]>().notNull().default([]),
    metadata: jsonb().$type<AssistantMetadata>().notNull().default({}),
    /** Its owner's folders and sets whose files it has beside its own, as they are at each question. */
    sources: jsonb().$type<FileSource[]>().notNull().default([]),
    /** Everybody of the installation may use it. */
    isShared: boolean('is_shared').notNull().default(false),
    /** Others whom it answers let it know their instructions for all chats. */
    knowsAsker: boolean('knows_asker').notNull().default(false),
    changeSeq: bigint('change_seq', { mode: 'number' }).notNull().default(0),
    /** When it was deleted; its actions, files and image stay for seven days. */
    deletedAt: timestamp('deleted_at', { withTimezone: true, mode: 'string' }),
    /** The entry of the trash that it came with. */
    deletionId: uuid('deletion_id'),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
    updatedAt: timestamp('updated_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    index('assistants_newest').on(table.userId, table.createdAt),
    index('assistants_shared')
      .on(table.id)
      .where(sql`${table.isShared}`),
  ],
);

/** APIs that an assistant may call, described by an OpenAPI document. */
export const actions = pgTable(
  'actions',
  {
    userId: uuid('user_id').notNull(),
    id: text().notNull(),
    assistantId: text('assistant_id').notNull(),
    /** The only host that is called. */
    domain: text().notNull(),
    /**
     * The OpenAPI document as it was given, JSON or YAML, apart from what each answer reads. Null where an earlier version
     * saved it in the settings.
     */
    document: text(),
    /** Everything else that is no secret. */
    settings: jsonb().$type<ActionSettings>().notNull(),
    /** The secrets, encrypted for `action:<id>:<domain>`: with another domain they cannot be decrypted. */
    /** The column has its first name until a later release drops it. */
    encrypted: text('sealed'),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
    updatedAt: timestamp('updated_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    foreignKey({
      columns: [table.userId, table.assistantId],
      foreignColumns: [assistants.userId, assistants.id],
    }).onDelete('cascade'),
    index('actions_assistant').on(table.userId, table.assistantId),
  ],
);
