import { parseTemplate } from '@parley/schema/prompts/placeholders';
import type { PromptHead } from '@parley/schema/prompts/prompt-rules';
import { useSetAtom } from 'jotai';
import type { Chat } from '../../chat/use-chat.ts';
import { draftKeyOf } from '../../slots/slot.ts';
import { trpc } from '../../trpc.ts';
import { useShowError } from '../../ui/toast/use-show-error.ts';
import { fillingPromptAtom } from './filling-prompt.ts';
import { useInsertPrompt } from './use-insert-prompt.ts';

/**
 * Returns a function that inserts a prompt. One with fields is asked for them first. `prepare` runs when the prompt has
 * been read, just before.
 */
export function useChoosePrompt(chat: Chat): (prompt: PromptHead, prepare: () => void) => void {
  const showError = useShowError();
  const { prompts: utils } = trpc.useUtils();
  const fill = useSetAtom(fillingPromptAtom);
  const insert = useInsertPrompt(chat);

  async function choose({ ownerId, id }: PromptHead, prepare: () => void): Promise<void> {
    const prompt = await utils.read.fetch({ ownerId, id }, { staleTime: 0 });
    prepare();
    if (parseTemplate(prompt.body).fields.length > 0) fill({ prompt, draftKey: draftKeyOf(chat.slot) });
    else await insert(prompt, new Map());
  }

  return (prompt, prepare) => void choose(prompt, prepare).catch(showError);
}
