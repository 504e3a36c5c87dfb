// What the stream of an answer tells.
import * as z from 'zod';
import { WholeConvo } from './convo.ts';
import { PluginCall, RestMessage } from './message.ts';
import { Count, Text, Told, Uuid } from './shapes.ts';

export const Created = z
  .object({
    message: RestMessage.pick({ messageId: true, parentMessageId: true, conversationId: true, text: true }).extend({
      sender: z.literal('User'),
      isCreatedByUser: z.literal(true),
    }),
    created: z.literal(true),
  })
  .meta({ id: 'QuestionStored' });
export type Created = z.infer<typeof Created>;

export const PluginOfEdit = z.object({
  loading: z.boolean(),
  inputs: z.array(z.object({ plugin: Text, input: Text, thought: Text, inputStr: Text })),
  latest: Text.nullable(),
  outputs: Text,
});
export type PluginOfEdit = z.infer<typeof PluginOfEdit>;

/** The whole text so far, again and again. */
export const TextSoFar = z
  .object({
    message: z.literal(true),
    initial: z.boolean(),
    text: Text,
    parentMessageId: Uuid.optional(),
    plugins: z.array(PluginCall).optional(),
    plugin: PluginOfEdit.optional(),
  })
  .meta({ id: 'TextSoFar' });
export type TextSoFar = z.infer<typeof TextSoFar>;

export const Final = z
  .object({
    final: z.literal(true),
    title: Text.nullable(),
    conversation: WholeConvo.extend({ title: Text.nullable() }),
    requestMessage: RestMessage,
    responseMessage: RestMessage.extend({
      promptTokens: Count.optional(),
      suggestions: z.array(Text).optional(),
    }),
  })
  .meta({ id: 'AnswerEnded' });
export type Final = z.infer<typeof Final>;

/** An answer that failed, as the message that clients show. */
export const FailedReply = RestMessage.pick({
  sender: true,
  messageId: true,
  conversationId: true,
  parentMessageId: true,
  text: true,
})
  .extend({
    unfinished: z.literal(false),
    error: z.literal(true),
    final: z.literal(true),
    isCreatedByUser: z.literal(false),
  })
  .meta({ id: 'AnswerFailed' });
export type FailedReply = z.infer<typeof FailedReply>;

/** What those clients' own pages never send is refused in a bare sentence. */
export const RefusedAsk = z.union([z.object({ text: Text }), Told]).meta({ id: 'AskRefused' });
