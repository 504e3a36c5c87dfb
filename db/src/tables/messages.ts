import {
  bigint,
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';
import type { EndpointType } from '@parley/schema/endpoints';
import type { ContextRecord, FinishReason, MessagePart, Usage } from '@parley/schema/messages';
import type { Reason } from '@parley/schema/reasons';
import type { Upstream } from '@parley/schema/upstream';
import { convos } from './convos.ts';

/** Flat rows that name their parent. `seq`, not time, is their order: clocks lie. */
export const messages = pgTable(
  'messages',
  {
    userId: uuid('user_id').notNull(),
    id: uuid().notNull(),
    convoId: uuid('convo_id').notNull(),
    seq: bigint({ mode: 'number' }).generatedAlwaysAsIdentity(),
    parentId: uuid('parent_id'),
    /** The deleted message that it hung below before it moved up: an undo hangs it back. */
    movedFrom: uuid('moved_from'),
    /** How many messages stand above it, so that what a context window cuts off is counted without a walk. */
    depth: integer().notNull(),
    isCreatedByUser: boolean('is_created_by_user').notNull(),
    sender: text().notNull(),
    endpoint: text().notNull(),
    endpointType: text('endpoint_type').$type<EndpointType>().notNull(),
    model: text(),
    parts: jsonb().$type<MessagePart[]>().notNull(),
    finishReason: text('finish_reason').$type<FinishReason>(),
    reason: jsonb().$type<Reason>(),
    unfinished: boolean().notNull().default(false),
    isEdited: boolean('is_edited').notNull().default(false),
    tokenCount: integer('token_count'),
    usage: jsonb().$type<Usage>(),
    context: jsonb().$type<ContextRecord>(),
    generationId: uuid('generation_id'),
    /** What came before it in short, this message included, and how many tokens that has. */
    summary: text(),
    summaryTokens: integer('summary_tokens'),
    /** What its provider told with it, if that keeps conversations itself: where it goes on from. */
    upstream: jsonb().$type<Upstream>(),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
    updatedAt: timestamp('updated_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
    deletedAt: timestamp('deleted_at', { withTimezone: true, mode: 'string' }),
    deletionId: uuid('deletion_id'),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    foreignKey({ columns: [table.userId, table.convoId], foreignColumns: [convos.userId, convos.id] }).onDelete(
      'cascade',
    ),
    // Of the deleted ones too: an undo looks for them, and the end of a conversation takes them along.
    index('messages_thread').on(table.userId, table.convoId, table.seq),
  ],
);
