import * as z from 'zod';
import { ContentPart } from './content.ts';
import { WholeConvo } from './convo.ts';
import { Count, Text, Time, Uuid } from './shapes.ts';

/** An attachment as clients show it: what they need of its file document. */
export const Attached = z.object({
  file_id: Uuid,
  filepath: Text,
  filename: Text,
  type: Text,
  width: Count.optional(),
  height: Count.optional(),
});
export type Attached = z.infer<typeof Attached>;

export const PluginCall = z.object({
  runId: Text,
  loading: z.boolean(),
  inputs: z.array(Text),
  latest: Text,
  outputs: Text,
});
export type PluginCall = z.infer<typeof PluginCall>;

export const RestMessage = z
  .object({
    messageId: Uuid,
    conversationId: Uuid,
    parentMessageId: Uuid,
    user: Uuid,
    endpoint: Text,
    model: Text.nullable(),
    sender: Text,
    text: Text,
    isCreatedByUser: z.boolean(),
    isEdited: z.boolean(),
    unfinished: z.boolean(),
    error: z.boolean(),
    finish_reason: z.enum(['stop', 'length', 'content_filter', 'tool_calls', 'incomplete']).optional(),
    tokenCount: Count.optional(),
    content: z.array(ContentPart).optional(),
    plugins: z.array(PluginCall).optional(),
    thread_id: Text.optional(),
    files: z.array(Attached).optional(),
    createdAt: Time,
    updatedAt: Time,
  })
  .meta({ id: 'Message' });
export type RestMessage = z.infer<typeof RestMessage>;

/** What clients replace an edited message with. */
export const EditedMessage = RestMessage.pick({
  messageId: true,
  conversationId: true,
  parentMessageId: true,
  sender: true,
  text: true,
  isCreatedByUser: true,
  tokenCount: true,
  isEdited: true,
});
export type EditedMessage = z.infer<typeof EditedMessage>;

export const Messages = z.array(RestMessage);
/** A conversation that was copied, whole. */
export const CopiedConvo = z.object({ conversation: WholeConvo, messages: Messages });
/** A list of one. */
export const OneMessage = z.tuple([RestMessage]);
