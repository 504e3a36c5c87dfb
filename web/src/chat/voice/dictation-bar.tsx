import { IconCheck, IconX } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import type { TFunction } from 'i18next';
import { createDictation, type DictationState } from '../../speech/dictation.ts';
import { MicrophoneError } from '../../speech/microphone.ts';
import { describeSpeechError } from '../../speech/speech-call.ts';
import { readSetting } from '../../stored-settings.ts';
import { useStore } from 'jotai';
import type { Chat } from '../use-chat.ts';
import { useChatSession } from '../chat-session-context.tsx';
import { draftKeyOf } from '../../slots/slot.ts';
import { composerId } from '../../slots/focus-composer.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { formatClock } from './format-clock.ts';
import { insertSpoken, spaced } from './insert-spoken.ts';
import { LevelMeter } from './level-meter.tsx';
import classes from './voice-bar.module.css';

interface DictationBarProps {
  chat: Chat;
  index: number;
  onEnd: () => void;
}

/** A dictation in place of the buttons of the message box. */
export function DictationBar({ chat, index, onEnd }: DictationBarProps) {
  const { t, i18n } = useTranslation();
  const store = useStore();
  const { drafts } = useChatSession();
  const [begun] = useState(chat.slot);
  const end = useEffectEvent((text: string) => {
    onEnd();
    // Another chat was opened meanwhile: what was said waits in the box of the first.
    if (chat.slot.conversationId !== begun.conversationId) {
      const draft = drafts.draftAtom(draftKeyOf(begun));
      const before = store.get(draft);
      return store.set(draft, before + spaced(before, text, ''));
    }
    insertSpoken(index, text);
    const box = document.getElementById(composerId(index));
    if (readSetting('sendSpoken') && box instanceof HTMLTextAreaElement) box.form?.requestSubmit();
  });
  const [dictation] = useState(createDictation);
  const state = useSyncExternalStore(dictation.subscribe, dictation.state);
  useEffect(() => dictation.start((text) => end(text)), [dictation]);
  const isRecording = state.name === 'recording';
  const canFinish = isRecording || state.name === 'lost' || (state.name === 'failed' && state.canRetry);

  function cancel(): void {
    onEnd();
    document.getElementById(composerId(index))?.focus();
  }

  useKeys({ Escape: cancel, Enter: () => canFinish && dictation.finish() });
  return (
    <div className={classes.bar} role="group" aria-label={t('com_voice_dictation')} data-testid="dictation">
      <IconButton label={t('com_voice_discard')} onClick={cancel}>
        <IconX aria-hidden />
      </IconButton>
      {isRecording ? (
        <>
          <span className={classes.dot} aria-hidden />
          <Clock duration={dictation.duration} language={i18n.language} />
          <LevelMeter level={dictation.level} />
        </>
      ) : (
        <p className={classes.says} role="status" data-failed={isFailure(state) || undefined}>
          {describeState(state, t)}
        </p>
      )}
      {isRecording ? (
        <IconButton ref={focusOnce} className={classes.done} label={t('com_voice_done')} onClick={dictation.finish}>
          <IconCheck aria-hidden />
        </IconButton>
      ) : (
        canFinish && (
          <Button ref={focusOnce} size="sm" variant="default" onClick={dictation.finish}>
            {t(state.name === 'lost' ? 'com_voice_write_down' : 'com_voice_again')}
          </Button>
        )
      )}
    </div>
  );
}

/** The button that leads on is where the focus was: that of before is gone. */
export function focusOnce(button: HTMLButtonElement | null): void {
  button?.focus();
}

function isFailure({ name }: DictationState): boolean {
  return name === 'failed' || name === 'lost' || name === 'empty';
}

function describeState(state: DictationState, t: TFunction): string {
  switch (state.name) {
    case 'asking':
      return t('com_voice_asking');
    case 'recording':
      return '';
    case 'writing':
      return t('com_voice_writing');
    case 'lost':
      return t('com_voice_lost');
    case 'empty':
      return t('com_voice_empty');
    case 'failed':
      return describeFailure(state.error, t);
    default:
      return state satisfies never;
  }
}

export function describeFailure(error: unknown, t: TFunction): string {
  if (!(error instanceof MicrophoneError)) return describeSpeechError(error, t);
  return t(`com_voice_microphone_${error.problem}`);
}

/** While it is open, wherever the focus is; a dialog above has its own keys. */
export function useKeys(keys: Readonly<Record<string, () => unknown>>): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const act = keys[event.key];
    if (!act || event.isComposing || document.querySelector('[role=dialog], [role=menu]')) return;
    // A button that has the focus is pressed by Enter itself.
    if (event.key === 'Enter' && event.target instanceof HTMLButtonElement) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', onKeyDown, true);
    return () => document.removeEventListener('keydown', onKeyDown, true);
  }, []);
}

const TICK_MS = 250;

function Clock({ duration, language }: { duration: () => number; language: string }) {
  const clock = useRef<HTMLTimeElement>(null);
  useEffect(() => {
    const show = () => clock.current && (clock.current.textContent = formatClock(duration(), language));
    show();
    const timer = setInterval(show, TICK_MS);
    return () => clearInterval(timer);
  }, [duration, language]);
  return <time ref={clock} className={classes.clock} role="timer" />;
}
