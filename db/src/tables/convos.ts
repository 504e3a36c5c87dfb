import { sql } from 'drizzle-orm';
import { bigint, index, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { EndpointType } from '@parley/schema/endpoints';
import type { Settings } from '@parley/schema/params';
import { users } from './users.ts';

/** Keyed by owner first: an id that a client made can never reach another user's row. */
export const convos = pgTable(
  'convos',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    id: uuid().notNull(),
    title: text(),
    /** Who gave the title: a generated one never replaces a person's. */
    titledBy: text('titled_by', { enum: ['user', 'model'] }),
    endpoint: text().notNull(),
    endpointType: text('endpoint_type').$type<EndpointType>().notNull(),
    model: text(),
    settings: jsonb().$type<Settings>().notNull().default({}),
    /** The generation that is writing in it now. */
    running: uuid(),
    /** The user's change counter at this row's last change: the cursor of the `changes` feed. */
    changeSeq: bigint('change_seq', { mode: 'number' }).notNull(),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
    updatedAt: timestamp('updated_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
    deletedAt: timestamp('deleted_at', { withTimezone: true, mode: 'string' }),
    /** What was deleted in one go shares it, so that one undo brings it back. */
    deletionId: uuid('deletion_id'),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    index('convos_list')
      .on(table.userId, table.updatedAt.desc(), table.id.desc())
      .where(sql`${table.deletedAt} is null`),
    index('convos_changes').on(table.userId, table.changeSeq),
    index('convos_deleted')
      .on(table.deletedAt)
      .where(sql`${table.deletedAt} is not null`),
  ],
);
