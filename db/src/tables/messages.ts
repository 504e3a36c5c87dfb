import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';
import type { EndpointType } from '@parley/schema/catalog/endpoints';
import type { Usage } from '@parley/schema/catalog/usage';
import type { ContextRecord, FinishReason, MessagePart, Rating } from '@parley/schema/messages/messages';
import type { Reason } from '@parley/schema/reasons';
import type { ProviderThread } from '@parley/schema/chat/provider-thread';
import { convos } from './convos.ts';

/** Flat rows that name their parent. Ordered by `seq`, not by time: clocks are unreliable. */
export const messages = pgTable(
  'messages',
  {
    userId: uuid('user_id').notNull(),
    id: uuid().notNull(),
    convoId: uuid('convo_id').notNull(),
    seq: bigint({ mode: 'number' }).generatedAlwaysAsIdentity(),
    parentId: uuid('parent_id'),
    /** The deleted message that was its parent before it was reparented: an undo puts it back. */
    movedFrom: uuid('moved_from'),
    /** The number of its ancestors, so that omitted messages can be counted without a walk. */
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
    /** 1 for thumbs up, -1 for thumbs down. */
    rating: smallint().$type<Rating>(),
    /** Of replies that stood side by side: whether their person went on with this one. Null: not decided. */
    isChosen: boolean('is_chosen'),
    generationId: uuid('generation_id'),
    /** A summary of the branch up to and including this message, and its tokens. */
    summary: text(),
    summaryTokens: integer('summary_tokens'),
    /**
     * The provider's thread position, if the provider keeps conversations itself. The column has its first name until a
     * later release drops it.
     */
    providerThread: jsonb('upstream').$type<ProviderThread>(),
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
    // Deleted messages too: a restore looks them up, and purging a conversation deletes them.
    index('messages_thread').on(table.userId, table.convoId, table.seq),
    index('messages_chosen')
      .on(table.userId)
      .where(sql`${table.isChosen} is not null`),
  ],
);
