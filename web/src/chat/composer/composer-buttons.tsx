import { useAtomValue } from 'jotai';
import { useState } from 'react';
import { AddButton } from '../add/add-button.tsx';
import { settingAtom } from '../../stored-settings.ts';
import { useSlotIndex } from '../../slots/slot.ts';
import { LazyBoundary } from '../../ui/lazy/lazy-boundary.tsx';
import { autoReader, dictationBar, voiceMode } from '../lazy-panels.ts';
import { Toggles } from '../toggles/toggles.tsx';
import type { Chat } from '../use-chat.ts';
import { useCanDictate, VoiceButtons, type VoiceUse } from '../voice/voice-buttons.tsx';
import classes from './composer-buttons.module.css';

/** What goes along with a question, and how it is answered; or its recording. */
export function ComposerButtons({ chat }: { chat: Chat }) {
  const index = useSlotIndex();
  const canDictate = useCanDictate();
  const [use, setUse] = useState<VoiceUse | null>(null);
  const isRead = useAtomValue(settingAtom('readByItself')) && use !== 'conversation';
  const end = () => setUse(null);
  return (
    <>
      <div className={classes.buttons} hidden={use !== null}>
        <AddButton chat={chat} />
        <Toggles chat={chat} />
        {canDictate && <VoiceButtons onStart={setUse} />}
      </div>
      {isRead && (
        <LazyBoundary isQuiet>
          <autoReader.Screen generationId={chat.generationId} />
        </LazyBoundary>
      )}
      {use === 'dictation' && (
        <LazyBoundary onFailure={end}>
          <dictationBar.Screen chat={chat} index={index} onEnd={end} />
        </LazyBoundary>
      )}
      {use === 'conversation' && (
        <LazyBoundary onFailure={end}>
          <voiceMode.Screen chat={chat} index={index} onEnd={end} />
        </LazyBoundary>
      )}
    </>
  );
}
