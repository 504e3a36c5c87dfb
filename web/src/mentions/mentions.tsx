import { useAtom, useStore } from 'jotai';
import { useEffect, useState, useId } from 'react';
import type { Chat } from '../chat/use-chat.ts';
import { composerId } from '../slots/focus-composer.ts';
import { draftKeyOf, useSlotIndex } from '../slots/slot.ts';
import { findTrigger, type Trigger } from './find-trigger.ts';
import { fillingPromptAtom, proposingPromptAtom } from './prompts/filling-prompt.ts';
import { PromptForm } from './prompts/prompt-form.tsx';
import { PromptProposal } from './prompts/prompt-proposal.tsx';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { useChatSession } from '../chat/chat-session-context.tsx';
import { optionId } from '../palette/palette-entry.ts';
import { PaletteList } from '../palette/palette-list.tsx';
import { useActiveEntry } from '../palette/use-active-entry.ts';
import { useEventListener } from '../ui/hooks/use-event-listener.ts';
import { VisuallyHidden } from '../ui/primitives/visually-hidden.tsx';
import classes from './mention-menu.module.css';
import { useSuggestions } from './use-suggestions.ts';

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

/** The open list above the message box, which keeps the focus. */
function MentionMenu({ chat, trigger, onClose }: { chat: Chat; trigger: Trigger; onClose: () => void }) {
  const { t } = useTranslation();
  const listId = useId();
  const box = useBox();
  const takeOutSign = useTakeOut(chat, trigger, box);
  function takeOut(): void {
    takeOutSign();
    // What was chosen may come later than the key is let go.
    onClose();
  }
  const groups = useSuggestions(chat, trigger, takeOut);
  const entries = groups.flatMap((group) => group.entries);
  const { active, point, step } = useActiveEntry(entries, trigger.query);
  const activeId = active && optionId(listId, active);

  function act(key: string): boolean {
    if (key === 'Escape') onClose();
    else if (key === 'Enter' || key === 'Tab') active?.run();
    else return step(key);
    return true;
  }

  // Before the box takes the key: Enter would send, Escape would stop.
  useEventListener(
    'keydown',
    (event) => {
      if (event.target !== box || event.isComposing || event.shiftKey || event.ctrlKey || event.metaKey) return;
      if (!active || !act(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
    },
    { capture: true },
  );
  useDescribed(box, listId, activeId);

  if (!box?.form || entries.length === 0) return null;
  return createPortal(
    <div className={classes.menu}>
      <PaletteList id={listId} label={t('com_composer_list')} groups={groups} active={active} onPoint={point} />
      <VisuallyHidden role="status">{t('com_palette_results', { count: entries.length })}</VisuallyHidden>
    </div>,
    box.form,
  );
}

function useBox(): HTMLTextAreaElement | null {
  const box = document.getElementById(composerId(useSlotIndex()));
  return box instanceof HTMLTextAreaElement ? box : null;
}

/** Takes the sign and what follows it out of the text. */
function useTakeOut({ slot }: Chat, { start, query }: Trigger, box: HTMLTextAreaElement | null): () => void {
  const store = useStore();
  const { drafts } = useChatSession();
  const draft = drafts.draftAtom(draftKeyOf(slot));
  return () => {
    const text = box?.value ?? store.get(draft);
    store.set(draft, text.slice(0, start) + text.slice(start + 1 + query.length).replace(/^ /, start === 0 ? '' : ' '));
    // At once: the next letter may come before the next frame.
    box?.setSelectionRange(start, start);
  };
}

/** Tells assistive software of the list and its marked option while the focus stays in the box. */
function useDescribed(box: HTMLTextAreaElement | null, listId: string, activeId: string | undefined): void {
  useEffect(() => {
    if (!box || !activeId) return;
    box.setAttribute('aria-controls', listId);
    box.setAttribute('aria-autocomplete', 'list');
    box.setAttribute('aria-activedescendant', activeId);
    return () =>
      ['aria-controls', 'aria-autocomplete', 'aria-activedescendant'].forEach((name) => box.removeAttribute(name));
  }, [box, listId, activeId]);
}
