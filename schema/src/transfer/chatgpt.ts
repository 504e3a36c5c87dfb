// Parses conversations of ChatGPT's `conversations.json`: nodes by id, each naming its parent and children.
import * as z from 'zod';
import { Flag, MaybeId, MaybeName, MaybeSeconds, MaybeText, MaybeTitle, Unknowns } from './fields.ts';

export const ChatGptConvo = z
  .object({
    conversation_id: MaybeId,
    id: MaybeId,
    title: MaybeTitle,
    create_time: MaybeSeconds,
    update_time: MaybeSeconds,
    default_model_slug: MaybeName,
    is_archived: Flag,
    mapping: z.record(z.string(), z.unknown()),
  })
  .transform((convo) => ({ ...convo, id: convo.conversation_id ?? convo.id ?? null }));
export type ChatGptConvo = z.infer<typeof ChatGptConvo>;

const Metadata = z.object({
  model_slug: MaybeName,
  is_visually_hidden_from_conversation: Flag,
  finish_details: z.object({ type: MaybeName }).nullish().catch(null),
});

const Thought = z.object({ summary: MaybeText, content: MaybeText });

/** The content of a node. Each kind of content uses some of these fields. */
export const ChatGptContent = z.object({
  content_type: MaybeName,
  parts: Unknowns,
  text: MaybeText,
  language: MaybeName,
  result: MaybeText,
  thoughts: z.array(Thought).catch([]),
});
export type ChatGptContent = z.infer<typeof ChatGptContent>;

export const ChatGptMessage = z.object({
  author: z.object({ role: z.enum(['user', 'assistant', 'tool', 'system']), name: MaybeName }),
  create_time: MaybeSeconds,
  content: ChatGptContent,
  status: MaybeName,
  recipient: MaybeName,
  metadata: Metadata.catch({ model_slug: null, is_visually_hidden_from_conversation: false, finish_details: null }),
});
export type ChatGptMessage = z.infer<typeof ChatGptMessage>;

export const ChatGptNode = z.object({
  parent: MaybeId,
  children: Unknowns,
  message: ChatGptMessage.nullish().catch(null),
});

/** A part of a multimodal message that is not plain text. */
export const ChatGptAsset = z.object({ content_type: MaybeName, text: MaybeText, asset_pointer: MaybeName });
