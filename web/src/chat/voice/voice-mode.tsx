import { IconCheck, IconX } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useStore } from 'jotai';
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { createConversation, type Conversation, type ConversationState } from '../../speech/conversation.ts';
import { readAloud, stopReading } from '../../speech/read-aloud.ts';
import { composerId } from '../../slots/focus-composer.ts';
import { useStartup } from '../../startup.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { exchangesAtom } from '../exchanges/exchange.ts';
import type { Chat } from '../use-chat.ts';
import { describeFailure, focusOnce, useKeys } from './dictation-bar.tsx';
import { insertSpoken } from './insert-spoken.ts';
import { replySource } from './reply-source.ts';
import { takeAnswer } from './taken-answers.ts';
import classes from './voice-bar.module.css';

interface VoiceModeProps {
  chat: Chat;
  index: number;
  onEnd: () => void;
}

/** A conversation by voice, in place of the buttons of the message box. */
export function VoiceMode({ chat, index, onEnd }: VoiceModeProps) {
  const { t } = useTranslation();
  const conversation = useConversation({ chat, index, onEnd });
  const state = useSyncExternalStore(conversation.subscribe, conversation.state);
  useAnswers(chat, conversation);
  useLeaving(chat.slot.conversationId, leave);

  function leave(): void {
    stopReading();
    onEnd();
  }

  function end(): void {
    leave();
    document.getElementById(composerId(index))?.focus();
  }

  useKeys({ Escape: end, Enter: conversation.finishTurn });
  const isFailed = state.name === 'failed';
  return (
    <div className={classes.bar} role="group" aria-label={t('com_voice_conversation')} data-testid="voice-mode">
      <IconButton ref={focusOnce} label={t('com_voice_end')} onClick={end}>
        <IconX aria-hidden />
      </IconButton>
      {!isFailed && <Orb state={state.name} level={conversation.level} />}
      <p
        className={isFailed ? classes.says : classes.state}
        role="status"
        data-state={state.name}
        data-failed={isFailed || undefined}
      >
        {describeState(state, t)}
      </p>
      {state.name === 'hearing' && (
        <IconButton className={classes.done} label={t('com_voice_done')} onClick={conversation.finishTurn}>
          <IconCheck aria-hidden />
        </IconButton>
      )}
      {isFailed && (
        <Button size="sm" variant="default" onClick={conversation.listen}>
          {t('com_voice_again')}
        </Button>
      )}
    </div>
  );
}

function describeState(state: ConversationState, t: TFunction): string {
  switch (state.name) {
    case 'opening':
      return t('com_voice_asking');
    case 'listening':
      return t('com_voice_listening');
    case 'hearing':
      return t('com_voice_hearing');
    case 'writing':
      return t('com_voice_writing');
    case 'thinking':
      return t('com_voice_thinking');
    case 'speaking':
      return t('com_voice_speaking');
    case 'failed':
      return describeFailure(state.error, t);
    default:
      return state satisfies never;
  }
}

/** How long a question may take to begin, in milliseconds: what cannot be sent stays in the box. */
const SENT_WITHIN_MS = 15_000;

function useConversation({ chat, index, onEnd }: VoiceModeProps): Conversation {
  const ask = useEffectEvent((text: string) => {
    insertSpoken(index, text);
    const box = document.getElementById(composerId(index));
    if (!(box instanceof HTMLTextAreaElement)) return;
    box.form?.requestSubmit();
    setTimeout(() => box.value.trim() !== '' && onEnd(), SENT_WITHIN_MS);
  });
  const interrupt = useEffectEvent(() => {
    stopReading();
    if (chat.generationId !== null) chat.actions.stop();
  });
  const end = useEffectEvent(onEnd);
  const [conversation] = useState(createConversation);
  useEffect(
    () => conversation.start({ onText: (text) => ask(text), onInterrupt: () => interrupt(), onEnd: () => end() }),
    [conversation],
  );
  return conversation;
}

/** Another chat was opened: what is said next is not for it. */
function useLeaving(conversationId: string, onLeave: () => void): void {
  const [first] = useState(conversationId);
  const leave = useEffectEvent(onLeave);
  useEffect(() => {
    if (conversationId !== first) leave();
  }, [conversationId, first]);
}

/** Each answer to a turn is read while it is written; then the next turn begins. */
function useAnswers({ generationId }: Chat, conversation: Conversation): void {
  const store = useStore();
  const hasService = useStartup()?.readingEnabled === true;
  const read = useEffectEvent(async (id: string) => {
    const atoms = store.get(exchangesAtom).get(id);
    if (!atoms || !takeAnswer(id) || conversation.state().name !== 'thinking') return;
    const source = replySource(store, id);
    const isHere = () => ['thinking', 'speaking'].includes(conversation.state().name);
    const leave = source.subscribe(() => source.text().trim() !== '' && conversation.speak());
    await readAloud(store.get(atoms.reply).messageId, source, hasService);
    // Where nobody reads, the answer is awaited in silence.
    await untilWhole(source, isHere);
    leave();
    if (isHere()) conversation.listen();
  });
  useEffect(() => {
    if (generationId !== null) void read(generationId);
  }, [generationId]);
}

function untilWhole(source: ReturnType<typeof replySource>, isHere: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!source.isWhole() && isHere()) return;
      leave();
      resolve();
    };
    const leave = source.subscribe(look);
    look();
  });
}

const TICK_MS = 80;
const GAIN = 5;

/** Moves with the voice. */
function Orb({ state, level }: { state: ConversationState['name']; level: () => number }) {
  const orb = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const timer = setInterval(
      () => orb.current?.style.setProperty('--level', String(Math.min(1, level() * GAIN))),
      TICK_MS,
    );
    return () => clearInterval(timer);
  }, [level]);
  return <span ref={orb} className={classes.orb} data-state={state} aria-hidden />;
}
