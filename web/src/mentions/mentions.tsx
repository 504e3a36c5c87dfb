import { useAtom } from 'jotai';
import { useEffect, useState } from 'react';
import type { Chat } from '../chat/use-chat.ts';
import { composerId } from '../slots/focus-composer.ts';
import { draftKeyOf, useSlotIndex } from '../slots/slot.ts';
import { findTrigger, type Trigger } from './find-trigger.ts';
import { MentionMenu } from './mention-menu.tsx';
import { fillingPromptAtom, proposingPromptAtom } from './prompts/filling-prompt.ts';
import { PromptForm } from './prompts/prompt-form.tsx';
import { PromptProposal } from './prompts/prompt-proposal.tsx';

const EVENTS = ['input', 'keyup', 'pointerup', 'focusin'];

/** The suggestions for `/`, `@` and `#` in the message box. It follows the box from outside: typing never waits for it. */
export function Mentions({ chat }: { chat: Chat }) {
  const id = composerId(useSlotIndex());
  const [trigger, setTrigger] = useState<Trigger | null>(null);
  // The start of the word for which a person has closed the list.
  const [closedAt, setClosedAt] = useState<number | null>(null);

  useEffect(() => {
    function look(): void {
      const box = document.activeElement;
      if (!(box instanceof HTMLTextAreaElement) || box.id !== id) return setTrigger(null);
      const found = box.selectionStart === box.selectionEnd ? findTrigger(box.value, box.selectionStart) : null;
      setTrigger((before) => (isSame(before, found) ? before : found));
      if (!found) setClosedAt(null);
    }
    function follow(event: Event): void {
      if (!(event instanceof InputEvent && event.isComposing)) look();
    }
    // The sign may have been typed before this part had loaded.
    look();
    for (const type of EVENTS) document.addEventListener(type, follow);
    return () => EVENTS.forEach((type) => document.removeEventListener(type, follow));
  }, [id]);

  const [filling, setFilling] = useAtom(fillingPromptAtom);
  const [proposing, setProposing] = useAtom(proposingPromptAtom);
  const draftKey = draftKeyOf(chat.slot);
  if (filling?.draftKey === draftKey)
    return <PromptForm chat={chat} prompt={filling.prompt} onClose={() => setFilling(null)} />;
  const isListed = trigger !== null && trigger.start !== closedAt;
  if (!isListed && proposing?.draftKey === draftKey)
    return <PromptProposal chat={chat} prompt={proposing.prompt} onClose={() => setProposing(null)} />;
  if (!isListed) return null;
  return <MentionMenu key={trigger.sign} chat={chat} trigger={trigger} onClose={() => setClosedAt(trigger.start)} />;
}

function isSame(one: Trigger | null, other: Trigger | null): boolean {
  return one?.sign === other?.sign && one?.query === other?.query && one?.start === other?.start;
}
