import * as z from 'zod';
import { Count, None, Text, Time, Uuid } from './shapes.ts';

export const RestShare = z
  .object({
    _id: Text,
    shareId: Text,
    conversationId: Uuid,
    title: Text,
    isPublic: z.literal(true),
    isVisible: z.literal(true),
    isAnonymous: z.boolean(),
    messages: None,
    createdAt: Time,
    updatedAt: Time,
  })
  .meta({ id: 'SharedLink' });
export type RestShare = z.infer<typeof RestShare>;

export const SharePage = z.object({
  sharedLinks: z.array(RestShare),
  pages: Count,
  pageNumber: Count,
  pageSize: Count,
});
export const LinkPage = z.object({
  links: z.array(RestShare),
  nextCursor: Text.nullable(),
  hasNextPage: z.boolean(),
});
export const ShareRef = z.object({ shareId: Text, conversationId: Uuid });
export const LinkOf = z.object({ success: z.boolean(), shareId: Text.nullable(), conversationId: Text });

const SharedFile = z.object({
  file_id: Text,
  filepath: Text,
  filename: Text,
  type: Text,
  bytes: Count,
  width: Count.optional(),
  height: Count.optional(),
});
export type SharedRestFile = z.infer<typeof SharedFile>;

/** Its ids count within the copy. */
const SharedMessage = z.object({
  messageId: Text,
  parentMessageId: Text,
  conversationId: Text,
  endpoint: Text,
  model: Text.nullable(),
  sender: Text,
  text: Text,
  isCreatedByUser: z.boolean(),
  unfinished: z.literal(false),
  error: z.literal(false),
  files: z.array(SharedFile).optional(),
  createdAt: Time,
  updatedAt: Time,
});
export type SharedRestMessage = z.infer<typeof SharedMessage>;

export const SharedConvo = z
  .object({
    shareId: Text,
    conversationId: Text,
    title: Text,
    isPublic: z.literal(true),
    createdAt: Time,
    updatedAt: Time,
    messages: z.array(SharedMessage),
  })
  .meta({ id: 'SharedConversation' });
export type SharedConvo = z.infer<typeof SharedConvo>;

export const EndedShare = z.object({ message: Text, shareId: Text });
