import type { messages } from '@parley/db/tables/messages';
import type { Message } from '@parley/schema/messages/messages';
import { isoTime } from '../platform/iso-time.ts';

export type MessageRow = typeof messages.$inferSelect;

export function presentMessage(row: MessageRow): Message {
  return {
    messageId: row.id,
    conversationId: row.convoId,
    parentMessageId: row.parentId,
    seq: row.seq,
    isCreatedByUser: row.isCreatedByUser,
    sender: row.sender,
    endpoint: row.endpoint,
    endpointType: row.endpointType,
    model: row.model,
    parts: row.parts,
    finishReason: row.finishReason,
    reason: row.reason,
    unfinished: row.unfinished,
    isEdited: row.isEdited,
    usage: row.usage,
    ...(row.tokenCount !== null && { tokenCount: row.tokenCount }),
    context: row.context,
    ...(row.rating !== null && { rating: row.rating }),
    ...(row.providerThread?.suggestions && { suggestions: row.providerThread.suggestions }),
    generationId: row.generationId,
    createdAt: isoTime(row.createdAt),
    updatedAt: isoTime(row.updatedAt),
  };
}
