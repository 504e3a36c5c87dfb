import * as z from 'zod';
import { cleanText } from '../clean-text.ts';
import { Id } from '../ids.ts';
import { MEMORY_MODES } from '../settings/memory-mode.ts';
import { hasAddress, MEMORY_TEXT_MAX, memoryText } from './memory-rules.ts';
import type { MemoryScope } from '../settings/memory-mode.ts';

/** Cleaned, then measured. */
export const MemoryText = z
  .string()
  .max(20 * MEMORY_TEXT_MAX)
  .refine((text) => !hasAddress(text), { error: 'No address can be remembered' })
  .overwrite((text) => cleanText(memoryText(text)))
  .min(1, { error: 'There is nothing to remember' })
  .max(MEMORY_TEXT_MAX, { error: `At most ${MEMORY_TEXT_MAX} characters can be remembered at once` });

const SCOPE = /^(?:|(?:folder|assistant):[\w-]{1,64})$/;

export const MemoryScopeInput = z.custom<MemoryScope>((value) => typeof value === 'string' && SCOPE.test(value), {
  error: 'No scope of an entry',
});

export const MemoryRef = z.strictObject({ id: Id });

export const SetMemoryMode = z.strictObject({
  mode: z.enum(MEMORY_MODES),
  /** Left out, those that there are stay. */
  exceptEndpoints: z.array(z.string().min(1).max(128).overwrite(cleanText)).max(100).optional(),
});
export type SetMemoryMode = z.infer<typeof SetMemoryMode>;

/** Adds an entry, or changes the one with this id. */
export const SaveMemory = z.strictObject({
  id: Id,
  text: MemoryText,
  scope: MemoryScopeInput,
  /** The reply that proposed it. */
  from: z.strictObject({ messageId: Id }).optional(),
});
export type SaveMemory = z.infer<typeof SaveMemory>;

const FROM_MAX = 1000;

/** Those of some conversations, or all. */
export const MemoriesOf = z.strictObject({ conversationIds: z.array(Id).min(1).max(FROM_MAX).optional() });
