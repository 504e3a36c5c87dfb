import * as z from 'zod';
import { ChosenTool } from './plugin.ts';
import { Count, Deleted, Text, Time, Uuid } from './shapes.ts';

/** The settings of its endpoint stand beside these fields. */
export const RestConvo = z
  .looseObject({
    _id: Uuid,
    conversationId: Uuid,
    user: Uuid,
    title: Text,
    endpoint: Text,
    endpointType: z.literal('custom').optional(),
    model: Text.nullable(),
    tools: z.array(ChosenTool).optional(),
    isArchived: z.literal(true).optional(),
    createdAt: Time,
    updatedAt: Time,
  })
  .meta({ id: 'Conversation', description: 'The settings of the endpoint stand beside these fields.' });
export type RestConvo = z.infer<typeof RestConvo>;

/** With the name of its folder. */
export const TaggedConvo = RestConvo.extend({ tags: z.array(Text).optional() }).meta({ id: 'TaggedConversation' });
export type TaggedConvo = z.infer<typeof TaggedConvo>;

/** With the ids of its messages. */
export const WholeConvo = TaggedConvo.extend({ messages: z.array(Uuid) }).meta({ id: 'WholeConversation' });
export type WholeConvo = z.infer<typeof WholeConvo>;

export const ConvoPage = z.object({
  conversations: z.array(TaggedConvo),
  pages: Count,
  pageNumber: Count,
  pageSize: Count,
});

export const ConvoTitle = z.object({ title: Text });

export const DeletedConvos = Deleted.extend({ messages: Deleted });
