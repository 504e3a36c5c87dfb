import { IconPlayerStop, IconVolume } from '@tabler/icons-react';
import { useAtom, useAtomValue } from 'jotai';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { readAloud, spokenAtom, stopReading, wholeText } from '../../speech/read-aloud.ts';
import { deviceVoices, onDeviceVoices, storedVoice } from '../../speech/voices.ts';
import { useStartup } from '../../startup.ts';
import { settingAtom } from '../../stored-settings.ts';
import { trpc } from '../../trpc.ts';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import classes from './voice-select.module.css';

/** Stands for a message. */
const SAMPLE = 'sample';

/** The voices of the one who reads, and a way to hear them. */
export function VoiceSelect({ id, testId }: { id: string; testId: string }) {
  const { t } = useTranslation();
  const [voice, setVoice] = useAtom(settingAtom('readVoice'));
  const hasService = useStartup()?.readingEnabled === true;
  const engine = useAtomValue(settingAtom('speechEngine'));
  const names = useDeviceNames();
  const isService = hasService && (engine === 'service' || names.length === 0);
  const voices = isService ? null : names;
  const isSpoken = useAtomValue(spokenAtom) === SAMPLE;
  const options = [{ value: 'auto', label: t('com_speech_voice_auto') }];
  return (
    <div className={classes.row}>
      {voices ? (
        <Voices {...{ id, testId, voices, options, voice, onChange: setVoice }} />
      ) : (
        <ServiceVoices {...{ id, testId, options, voice, onChange: setVoice }} />
      )}
      <IconButton
        label={t(isSpoken ? 'com_chat_stop_reading' : 'com_speech_try')}
        disabled={!isService && names.length === 0}
        onClick={() =>
          isSpoken ? stopReading() : void readAloud(SAMPLE, wholeText(t('com_speech_sample')), hasService)
        }
      >
        {isSpoken ? <IconPlayerStop aria-hidden /> : <IconVolume aria-hidden />}
      </IconButton>
    </div>
  );
}

interface VoicesProps {
  id: string;
  testId: string;
  voices: readonly string[];
  options: readonly { value: string; label: string }[];
  voice: string;
  onChange: (voice: string) => void;
}

function Voices({ id, testId, voices, options, voice, onChange }: VoicesProps) {
  const all = [...options, ...voices.map((name) => ({ value: storedVoice(name), label: name }))];
  // One of the other reader stands for none.
  const isOffered = all.some(({ value }) => value === voice);
  return (
    <SelectField id={id} data-testid={testId} value={isOffered ? voice : 'auto'} options={all} onChange={onChange} />
  );
}

function ServiceVoices(props: Omit<VoicesProps, 'voices'>) {
  const { data } = trpc.speech.facts.useQuery(undefined, { staleTime: Infinity });
  return <Voices {...props} voices={data?.voices ?? []} />;
}

/** The same text while the list is the same. */
function useDeviceNames(): string[] {
  const names = useSyncExternalStore(onDeviceVoices, () =>
    deviceVoices()
      .map(({ name }) => name)
      .join('\n'),
  );
  return names === '' ? [] : names.split('\n');
}
