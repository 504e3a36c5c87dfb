// What the stream of an assistant's answer tells.
import * as z from 'zod';
import { contentPartWith } from './content.ts';
import { RestConvo } from './convo.ts';
import { Attached, RestMessage } from './message.ts';
import { Count, Text, Uuid } from './shapes.ts';

const ofBoth = {
  user: Uuid,
  conversationId: Uuid,
  assistant_id: Text,
  thread_id: Text,
  model: Text,
  messageId: Uuid,
  parentMessageId: Uuid,
};

/** The ids of both messages. */
export const AssistantSync = z
  .object({
    sync: z.literal(true),
    conversationId: Uuid,
    requestMessage: z.object({
      ...ofBoth,
      text: Text,
      files: z.array(Attached),
      file_ids: z.array(Uuid),
      isCreatedByUser: z.literal(true),
    }),
    responseMessage: z.object(ofBoth),
  })
  .meta({ id: 'AssistantAnswerBegun' });
export type AssistantSync = z.infer<typeof AssistantSync>;

const ids = { index: Count, thread_id: Text, messageId: Uuid, conversationId: Uuid };

/** The whole text of a part so far. */
const AssistantText = z.object({
  ...ids,
  type: z.literal('text'),
  text: Text,
  message: z.literal(true),
  initial: z.boolean(),
});

/** A part as it is now, at its index. */
export const AssistantPart = z.union([AssistantText, contentPartWith(ids)]).meta({ id: 'AssistantAnswerPart' });
export type AssistantPart = z.infer<typeof AssistantPart>;

/** An answer that ended well is what its parts say. */
export const AssistantEnd = z
  .object({
    final: z.literal(true),
    conversation: z.object({
      conversationId: Uuid,
      endpoint: Text,
      promptPrefix: z.unknown(),
      instructions: Text.optional(),
      assistant_id: z.unknown().optional(),
    }),
    requestMessage: z.object({ parentMessageId: Uuid, thread_id: Text }),
  })
  .meta({ id: 'AssistantAnswerEnded' });
export type AssistantEnd = z.infer<typeof AssistantEnd>;

/** The end of one that failed or was stopped, with all messages of its conversation. */
export const BrokenEnd = z
  .object({
    final: z.literal(true),
    conversation: RestConvo.extend({ messages: z.array(Uuid) }),
    runMessages: z.array(RestMessage),
  })
  .meta({ id: 'AssistantAnswerBroken' });
export type BrokenEnd = z.infer<typeof BrokenEnd>;
