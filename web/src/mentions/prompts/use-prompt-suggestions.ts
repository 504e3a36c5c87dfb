import { parseTemplate } from '@parley/schema/prompts/placeholders';
import type { PromptHead } from '@parley/schema/prompts/prompt-rules';
import { IconQuote } from '@tabler/icons-react';
import { useSetAtom } from 'jotai';
import type { Chat } from '../../chat/use-chat.ts';
import type { PaletteEntry } from '../../palette/palette-entry.ts';
import { findPrompts } from '../../prompts/find-prompts.ts';
import { usePrompts } from '../../prompts/use-prompts.ts';
import { draftKeyOf } from '../../slots/slot.ts';
import { trpc } from '../../trpc.ts';
import { fillingPromptAtom } from './filling-prompt.ts';
import { useInsertPrompt } from './use-insert-prompt.ts';
import { useShowError } from '../../ui/toast/use-show-error.ts';

const NONE: PromptHead[] = [];

/** The prompts that are inserted with `/`. One with fields is asked for them first. */
export function usePromptSuggestions(chat: Chat, query: string, takeOut: () => void): PaletteEntry[] {
  const showError = useShowError();
  const { data: prompts = NONE } = usePrompts();
  const { prompts: utils } = trpc.useUtils();
  const fill = useSetAtom(fillingPromptAtom);
  const insert = useInsertPrompt(chat);

  async function choose({ ownerId, id }: PromptHead): Promise<void> {
    const prompt = await utils.read.fetch({ ownerId, id }, { staleTime: 0 });
    takeOut();
    if (parseTemplate(prompt.body).fields.length > 0) fill({ prompt, draftKey: draftKeyOf(chat.slot) });
    else await insert(prompt, new Map());
  }

  return findPrompts(prompts, query).map((prompt) => ({
    id: `${prompt.ownerId} ${prompt.id}`,
    Icon: IconQuote,
    label: prompt.title,
    hint: prompt.ownerName === null ? `/${prompt.command}` : `/${prompt.command} · ${prompt.ownerName}`,
    run: () => void choose(prompt).catch(showError),
  }));
}
