import { IconPlayerStop, IconVolume } from '@tabler/icons-react';
import type { Message } from '@parley/schema/messages/messages';
import { useAtomValue, useStore } from 'jotai';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { readAloud, spokenAtom, stopReading } from '../../speech/read-aloud.ts';
import { deviceVoices, onDeviceVoices } from '../../speech/voices.ts';
import { useStartup } from '../../startup.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { messageSource } from './reply-source.ts';
import classes from './read-button.module.css';

interface Reading {
  /** Whether it is being read. */
  isSpoken: boolean;
  /** Absent where nobody reads aloud. */
  toggle: (() => void) | undefined;
}

/** Reads a message aloud, or stops it. */
export function useReading(message: Message): Reading {
  const store = useStore();
  const hasService = useStartup()?.readingEnabled === true;
  const hasVoice = useSyncExternalStore(onDeviceVoices, () => deviceVoices().length > 0);
  const isSpoken = useAtomValue(spokenAtom) === message.messageId;
  const read = () => void readAloud(message.messageId, messageSource(store, message), hasService);
  if (isSpoken) return { isSpoken, toggle: stopReading };
  return { isSpoken, toggle: hasService || hasVoice ? read : undefined };
}

/** On a phone it stands in the menu, but for the one that stops. */
export function ReadButton({ message, className = '' }: { message: Message; className: string | undefined }) {
  const { t } = useTranslation();
  const { isSpoken, toggle } = useReading(message);
  if (!toggle) return null;
  return (
    <IconButton
      className={`${classes.read} ${className}`}
      label={t(isSpoken ? 'com_chat_stop_reading' : 'com_chat_read_aloud')}
      data-testid="read-aloud"
      aria-pressed={isSpoken}
      onClick={toggle}
    >
      {isSpoken ? <IconPlayerStop aria-hidden /> : <IconVolume aria-hidden />}
    </IconButton>
  );
}
