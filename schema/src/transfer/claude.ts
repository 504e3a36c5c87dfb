// Parses conversations of Claude's `conversations.json`.
import * as z from 'zod';
import { MaybeId, MaybeName, MaybeText, MaybeTime, MaybeTitle, SourceId, Unknowns } from './fields.ts';

export const ClaudeConvo = z.object({
  uuid: SourceId,
  name: MaybeTitle,
  model: MaybeName,
  created_at: MaybeTime,
  updated_at: MaybeTime,
  chat_messages: z.array(z.unknown()),
});
export type ClaudeConvo = z.infer<typeof ClaudeConvo>;

export const ClaudeMessage = z.object({
  uuid: SourceId,
  sender: z.enum(['human', 'assistant']),
  text: MaybeText,
  content: Unknowns,
  attachments: Unknowns,
  files: Unknowns,
  parent_message_uuid: MaybeId,
  created_at: MaybeTime,
  updated_at: MaybeTime,
});
export type ClaudeMessage = z.infer<typeof ClaudeMessage>;

/** A block of a message. Each kind of block uses some of these fields. */
export const ClaudeBlock = z.object({
  type: MaybeName,
  id: MaybeName,
  tool_use_id: MaybeName,
  name: MaybeName,
  text: MaybeText,
  thinking: MaybeText,
  input: z.unknown().optional(),
  content: Unknowns,
});

/** A file; of text files the export has the text. */
export const ClaudeFile = z.object({ file_name: MaybeName, extracted_content: MaybeText });
