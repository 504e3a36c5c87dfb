import * as z from 'zod';
import { Count, None, Text, Time, Uuid } from './shapes.ts';

/** A version of a prompt. */
export const RestPrompt = z
  .object({
    _id: Text,
    groupId: Uuid,
    author: Uuid,
    prompt: Text,
    type: z.literal('text'),
    createdAt: Time,
    updatedAt: Time,
  })
  .meta({ id: 'PromptVersion' });
export type RestPrompt = z.infer<typeof RestPrompt>;

export const PromptGroup = z
  .object({
    _id: Uuid,
    name: Text,
    command: Text,
    oneliner: Text,
    category: Text,
    numberOfGenerations: Count,
    projectIds: None,
    productionId: Text,
    productionPrompt: z.object({ prompt: Text }),
    author: Uuid,
    authorName: Text,
    createdAt: Time,
    updatedAt: Time,
  })
  .meta({ id: 'PromptGroup' });
export type PromptGroup = z.infer<typeof PromptGroup>;

export const PromptGroupPage = z.object({
  promptGroups: z.array(PromptGroup),
  pageNumber: Count,
  pageSize: Count,
  pages: Count,
});
export const MadePrompt = z.object({ prompt: RestPrompt, group: PromptGroup });
export const RemovedPrompt = z.object({ prompt: Text, promptGroup: z.object({ message: Text, id: Uuid }).optional() });
