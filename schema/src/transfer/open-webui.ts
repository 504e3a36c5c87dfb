// Parses chats of Open WebUI's export: a tree of messages by id.
import * as z from 'zod';
import { Flag, MaybeId, MaybeName, MaybeSeconds, MaybeText, MaybeTitle, SourceId, Unknowns } from './fields.ts';

export const OpenWebUiConvo = z.object({
  id: SourceId,
  title: MaybeTitle,
  archived: Flag,
  created_at: MaybeSeconds,
  updated_at: MaybeSeconds,
  chat: z.object({
    title: MaybeTitle,
    models: z.array(MaybeName).catch([]),
    history: z.object({ messages: z.record(z.string(), z.unknown()) }),
  }),
});
export type OpenWebUiConvo = z.infer<typeof OpenWebUiConvo>;

export const OpenWebUiMessage = z.object({
  id: SourceId,
  parentId: MaybeId,
  role: z.enum(['user', 'assistant', 'system']),
  content: MaybeText,
  model: MaybeName,
  modelName: MaybeName,
  timestamp: MaybeSeconds,
  files: Unknowns,
  error: z.object({ content: MaybeText }).nullish().catch(null),
});
export type OpenWebUiMessage = z.infer<typeof OpenWebUiMessage>;

export const OpenWebUiFile = z.object({
  type: MaybeName,
  name: MaybeName,
});
