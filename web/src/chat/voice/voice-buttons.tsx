import { IconHeadphones, IconMicrophone } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { canRecord } from '../../speech/can-record.ts';
import { useStartup } from '../../startup.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { dictationBar, voiceMode } from '../lazy-panels.ts';

export type VoiceUse = 'dictation' | 'conversation';

/** Whether speech can be recorded here, and is written down by somebody. */
export function useCanDictate(): boolean {
  return useStartup()?.dictationEnabled === true && canRecord();
}

/** To speak in place of typing: one question, or a whole conversation. */
export function VoiceButtons({ onStart }: { onStart: (use: VoiceUse) => void }) {
  const { t } = useTranslation();
  return (
    <>
      <IconButton
        label={t('com_voice_dictate')}
        data-testid="dictate"
        onPointerEnter={dictationBar.preload}
        onFocus={dictationBar.preload}
        onClick={() => onStart('dictation')}
      >
        <IconMicrophone aria-hidden />
      </IconButton>
      <IconButton
        label={t('com_voice_talk')}
        data-testid="talk"
        onPointerEnter={voiceMode.preload}
        onFocus={voiceMode.preload}
        onClick={() => onStart('conversation')}
      >
        <IconHeadphones aria-hidden />
      </IconButton>
    </>
  );
}
