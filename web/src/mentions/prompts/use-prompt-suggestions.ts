import type { PromptHead } from '@parley/schema/prompts/prompt-rules';
import { IconQuote } from '@tabler/icons-react';
import type { Chat } from '../../chat/use-chat.ts';
import type { PaletteEntry } from '../../palette/palette-entry.ts';
import { findPrompts } from '../../prompts/find-prompts.ts';
import { usePrompts } from '../../prompts/use-prompts.ts';
import { useChoosePrompt } from './use-choose-prompt.ts';

const NONE: PromptHead[] = [];

/** The prompts that are inserted with `/`. */
export function usePromptSuggestions(chat: Chat, query: string, takeOut: () => void): PaletteEntry[] {
  const { data: prompts = NONE } = usePrompts();
  const choose = useChoosePrompt(chat);
  return findPrompts(prompts, query).map((prompt) => ({
    id: `${prompt.ownerId} ${prompt.id}`,
    Icon: IconQuote,
    label: prompt.title,
    hint: prompt.ownerName === null ? `/${prompt.command}` : `/${prompt.command} · ${prompt.ownerName}`,
    run: () => choose(prompt, takeOut),
  }));
}
