import { fillTemplate, parseTemplate, type Known } from '@parley/schema/prompts/placeholders';
import type { Prompt } from '@parley/schema/prompts/prompt-rules';
import { useStore } from 'jotai';
import { useTranslation } from 'react-i18next';
import { useChatSession } from '../../chat/chat-session-context.tsx';
import type { Chat } from '../../chat/use-chat.ts';
import { proposes } from '../../prompts/prompt-offer.ts';
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

interface Person {
  name: string;
  email: string;
  /** The language of the page. */
  language: string;
}

/** The values that a prompt names and nobody is asked for. Of those only the clipboard needs the browser's permission. */
async function knownValues(named: ReadonlySet<Known>, person: Person, now = new Date()) {
  const { name, email, language } = person;
  const values: Partial<Record<Known, string>> = {
    today: now.toLocaleDateString(language, { dateStyle: 'long' }),
    now: now.toLocaleString(language, { dateStyle: 'long', timeStyle: 'short' }),
    time: now.toLocaleTimeString(language, { timeStyle: 'short' }),
    weekday: now.toLocaleDateString(language, { weekday: 'long' }),
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    iso: now.toISOString(),
    me: name,
    email,
    language: new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language,
  };
  // Where it is refused, the text has a gap that the person sees.
  if (named.has('clipboard')) values.clipboard = await navigator.clipboard?.readText().catch(() => '');
  return values;
}
