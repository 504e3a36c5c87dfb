import { fillTemplate, parseTemplate } from '@parley/schema/prompts/placeholders';
import type { Prompt } from '@parley/schema/prompts/prompt-rules';
import { useStore } from 'jotai';
import { useTranslation } from 'react-i18next';
import { useChatSession } from '../../chat/chat-session-context.tsx';
import type { Chat } from '../../chat/use-chat.ts';
import { proposes } from '../../prompts/prompt-offer.ts';
import { knownValues } from '../../prompts/known-values.ts';
import { useChangePrompts } from '../../prompts/use-prompts.ts';
import { session } from '../../session/current-session.ts';
import { composerId } from '../../slots/focus-composer.ts';
import { draftKeyOf, useSlotIndex } from '../../slots/slot.ts';
import { proposingPromptAtom } from './filling-prompt.ts';

/** Returns a function that puts the text of a prompt before what the message box holds, with the caret behind it. */
export function useInsertPrompt({
  slot,
}: Chat): (prompt: Prompt, values: ReadonlyMap<string, string>) => Promise<void> {
  const { i18n } = useTranslation();
  const store = useStore();
  const { drafts } = useChatSession();
  const draftKey = draftKeyOf(slot);
  const draft = drafts.draftAtom(draftKey);
  const boxId = composerId(useSlotIndex());
  const { mark } = useChangePrompts();
  return async (prompt, values) => {
    const template = parseTemplate(prompt.body);
    const { name = '', email = '' } = store.get(session.state).user ?? {};
    const known = await knownValues(template.known, { name, email, language: i18n.language });
    const text = fillTemplate(template, values, known);
    store.set(draft, text + store.get(draft));
    store.set(proposingPromptAtom, proposes(prompt) ? { prompt, draftKey } : null);
    mark({ ownerId: prompt.ownerId, id: prompt.id, isUsed: true });
    requestAnimationFrame(() => {
      const box = document.getElementById(boxId);
      if (!(box instanceof HTMLTextAreaElement)) return;
      box.focus();
      box.setSelectionRange(text.length, text.length);
    });
  };
}
