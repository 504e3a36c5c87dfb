import '@mantine/core/styles/Checkbox.css';
import { Checkbox } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useAtom, useStore } from 'jotai';
import { useEffect, useEffectEvent, useId, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { endpointLabel, type Choice } from '../../catalog/choose-model.ts';
import { useAssistants } from '../../endpoints/assistants/use-assistants.ts';
import { useAskForKey } from '../../keys/use-ask-for-key.ts';
import { focusComposer } from '../../slots/focus-composer.ts';
import { draftKeyOf, slotAtom, useSlotIndex, startNewChat } from '../../slots/slot.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import type { Chat } from '../use-chat.ts';
import { pendingSwitchAtom, type PendingSwitch, type SwitchTarget } from './pending-switch.ts';
import { switchTargetAtom } from './switch-target.ts';
import classes from './switch-question.module.css';
import { NEW_CHAT } from '../../slots/new-chat.ts';
import { useChatSession } from '../chat-session-context.tsx';

type Place = Exclude<SwitchTarget, 'ask'>;

/**
 * Asks where a picked model of another provider is to be used: in this conversation, or in a new chat. Where that is
 * known already, it is done without a question.
 */
export function SwitchQuestion({ chat }: { chat: Chat }) {
  const store = useStore();
  const index = useSlotIndex();
  const [pending, setPending] = useAtom(pendingSwitchAtom);
  const [isRemembered, setRemembered] = useState(false);
  const askForKey = useAskForKey();
  const startWithDraft = useStartWithDraft(draftKeyOf(chat.slot));
  const isShown = pending?.conversationId === chat.slot.conversationId;

  const decideNow = useEffectEvent(() => {
    if (pending && isShown && pending.target !== 'ask') decide(pending, pending.target);
  });
  useEffect(() => decideNow(), [pending]);

  function close(): void {
    setPending(null);
    focusComposer(index);
  }

  function decide({ here, inNewChat }: PendingSwitch, target: Place): void {
    if (isRemembered) store.set(switchTargetAtom, target);
    if (target === 'continue') store.set(slotAtom(index), { ...chat.slot, choice: here });
    else startWithDraft(inNewChat);
    close();
    askForKey(here.endpoint);
  }

  if (!pending || !isShown || pending.target !== 'ask') return null;
  return (
    <Question
      pending={pending}
      isRemembered={isRemembered}
      onRemember={setRemembered}
      onDecide={(target) => decide(pending, target)}
      onClose={close}
    />
  );
}

interface QuestionProps {
  pending: PendingSwitch;
  /** The same is to be done from now on, without a question. */
  isRemembered: boolean;
  onRemember: (isRemembered: boolean) => void;
  onDecide: (target: Place) => void;
  onClose: () => void;
}

function Question({ pending, isRemembered, onRemember, onDecide, onClose }: QuestionProps) {
  const { t } = useTranslation();
  const sentenceId = useId();
  const first = useRef<HTMLButtonElement>(null);
  const sentence = useSentence(pending.here);

  useEffect(() => {
    // The list of models gives the focus back to its button first.
    const frame = requestAnimationFrame(() => first.current?.focus({ preventScroll: true }));
    return () => cancelAnimationFrame(frame);
  }, [pending]);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    onClose();
  }

  return (
    // Only handles Escape from its controls.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div role="group" aria-labelledby={sentenceId} className={classes.question} onKeyDown={onKeyDown}>
      <p id={sentenceId}>{sentence}</p>
      <div className={classes.choices}>
        <Button ref={first} size="sm" variant="filled" onClick={() => onDecide('continue')}>
          {t('com_switch_here')}
        </Button>
        <Button size="sm" onClick={() => onDecide('new')}>
          {t('com_switch_new_chat')}
        </Button>
        <Checkbox
          size="xs"
          label={t('com_switch_remember')}
          checked={isRemembered}
          onChange={({ currentTarget }) => onRemember(currentTarget.checked)}
        />
      </div>
      <IconButton className={classes.cancel} label={t('com_ui_cancel')} onClick={onClose}>
        <IconX aria-hidden />
      </IconButton>
    </div>
  );
}

function useSentence({ endpoint, model, settings }: PendingSwitch['here']): string {
  const { t } = useTranslation();
  const assistantId = settings?.assistant_id;
  const { data: assistants } = useAssistants({ enabled: typeof assistantId === 'string' });
  const assistant = assistants?.find((one) => one.assistantId === assistantId);
  const provider = endpointLabel(endpoint);
  if (assistant) return t('com_switch_question_assistant', { 0: assistant.name });
  return t('com_switch_question', { 0: model ?? provider, 1: provider });
}

/** Starts a new chat, into which the unsent text and its files go along. */
function useStartWithDraft(draftKey: string): (choice: Choice) => void {
  const store = useStore();
  const index = useSlotIndex();
  const { drafts } = useChatSession();
  return (choice) => {
    const [text, files] = [drafts.draftAtom(draftKey), drafts.attachmentsAtom(draftKey)];
    const [newText, newFiles] = [drafts.draftAtom(NEW_CHAT), drafts.attachmentsAtom(NEW_CHAT)];
    const [typed, attached] = [store.get(text), store.get(files)];
    startNewChat(store, index, choice);
    if (draftKey === NEW_CHAT || (typed === '' && attached.length === 0)) return;
    // An unsent text of another new chat stays, too.
    store.set(newText, [store.get(newText), typed].filter(Boolean).join('\n\n'));
    store.set(newFiles, [...store.get(newFiles), ...attached]);
    store.set(text, '');
    store.set(files, []);
  };
}
