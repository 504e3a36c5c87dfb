// Inputs for reading a conversation's thread.
import * as z from 'zod';
import { Id } from '../ids.ts';

export const OpenThread = z.strictObject({
  conversationId: Id,
  /** Where to open it. If that message does not exist (any more), it opens at its newest one. */
  messageId: Id.optional(),
});

/** At most this many messages in one go. */
export const BODIES_MAX = 100;

export const ReadBodies = z.strictObject({
  conversationId: Id,
  messageIds: z.array(Id).min(1).max(BODIES_MAX),
});
