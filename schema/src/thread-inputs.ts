// What a browser may ask of the thread of a conversation.
import * as z from 'zod';
import { Id } from './ids.ts';

export const OpenThread = z.strictObject({
  conversationId: Id,
  /** Where to open it. One that is not there (any more) is as good as none: it opens at its newest message. */
  messageId: Id.optional(),
});

/** At most this many messages in one go. */
export const BODIES_MAX = 100;

export const ReadBodies = z.strictObject({
  conversationId: Id,
  messageIds: z.array(Id).min(1).max(BODIES_MAX),
});
