// What is sent about prompts.
import * as z from 'zod';
import { CHOSEN_TOOLS_MAX, TOOL_KEY_MAX } from '../catalog/params.ts';
import { cleanText } from '../clean-text.ts';
import { Id } from '../ids.ts';
import {
  COMMAND,
  PROMPT_BODY_MAX,
  PROMPT_COMMAND_MAX,
  PROMPT_TAGS_MAX,
  PROMPT_TAG_MAX,
  PROMPT_TITLE_MAX,
  PROMPTS_MAX,
  promptSentences,
} from './prompt-rules.ts';

const text = z.string().overwrite(cleanText);

const PromptCommand = text.trim().max(PROMPT_COMMAND_MAX).regex(COMMAND, promptSentences.command);

/** What a person gives a prompt. */
export const PromptFields = z.strictObject({
  command: PromptCommand,
  title: text.trim().min(1, promptSentences.title).max(PROMPT_TITLE_MAX),
  body: text.max(PROMPT_BODY_MAX).refine((body) => body.trim() !== '', promptSentences.body),
  tags: z.array(text.trim().min(1).max(PROMPT_TAG_MAX)).max(PROMPT_TAGS_MAX).default([]),
  presetId: Id.nullable().default(null),
  tools: z.array(text.min(1).max(TOOL_KEY_MAX)).max(CHOSEN_TOOLS_MAX).default([]),
});

/** Creates the prompt with this id, made by the client, or replaces its fields. */
export const SavePrompt = PromptFields.extend({ id: Id });
export type SavePrompt = z.infer<typeof SavePrompt>;

/** A prompt of a file that is imported. */
export const PromptFile = z.object({ prompts: z.array(PromptFields).max(PROMPTS_MAX) });
export type PromptFile = z.infer<typeof PromptFile>;

export const PromptRef = z.strictObject({ id: Id });
/** Also of another person's that is shared. */
export const AnyPromptRef = z.strictObject({ ownerId: Id, id: Id });
export type AnyPromptRef = z.infer<typeof AnyPromptRef>;
