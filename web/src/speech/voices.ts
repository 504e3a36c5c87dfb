// Who reads aloud: a voice of this device, or the server's service.
import { i18n } from '../i18n.ts';
import { onClearPersonalData } from '../lib/personal-data.ts';
import { readSetting } from '../stored-settings.ts';
import { fetchSpoken } from './speech-call.ts';

/** A sentence that is being fetched, or is there. */
export interface Prepared {
  /** Resolves when it was heard. Rejects where it cannot be; silent once the signal aborts. */
  play(signal: AbortSignal): Promise<void>;
}

export interface Reader {
  prepare(sentence: string, signal: AbortSignal): Prepared;
}

/** What stands before the name of a voice where one is chosen. */
const CHOSEN = 'voice:';

const SPEEDS = { slow: 0.75, normal: 1, quick: 1.25, fast: 1.5, fastest: 2 } as const;

/** Voices that need no network: others send the text to their maker. Browsers load their list late. */
export function deviceVoices(): SpeechSynthesisVoice[] {
  return 'speechSynthesis' in window ? speechSynthesis.getVoices().filter(({ localService }) => localService) : [];
}

/** Calls `hear` when the list of voices has changed, until the returned function is called. */
export function onDeviceVoices(hear: () => void): () => void {
  if (!('speechSynthesis' in window)) return () => undefined;
  speechSynthesis.addEventListener('voiceschanged', hear);
  return () => speechSynthesis.removeEventListener('voiceschanged', hear);
}

/** `hasService`: the server reads aloud, too. Null where nobody does. */
export function chooseReader(hasService: boolean): Reader | null {
  const voice = deviceVoice(deviceVoices());
  const isService = hasService && (readSetting('speechEngine') === 'service' || !voice);
  if (isService) return serviceReader();
  return voice ? deviceReader(voice) : null;
}

/** The name of the chosen voice; null where the first fitting one reads. */
export function chosenVoice(): string | null {
  const stored = readSetting('readVoice');
  return stored.startsWith(CHOSEN) ? stored.slice(CHOSEN.length) : null;
}

export function storedVoice(name: string): string {
  return `${CHOSEN}${name}`;
}

/** The chosen one, else one of the language, else the first. */
function deviceVoice(voices: readonly SpeechSynthesisVoice[]): SpeechSynthesisVoice | undefined {
  const name = chosenVoice();
  const [wanted = ''] = i18n.language.split('-');
  return (
    voices.find((voice) => voice.name === name) ??
    voices.find(({ lang }) => lang.split(/[-_]/)[0] === wanted) ??
    voices[0]
  );
}

function deviceReader(voice: SpeechSynthesisVoice): Reader {
  return {
    prepare: (sentence) => ({
      play: (signal) =>
        new Promise((resolve, reject) => {
          const utterance = new SpeechSynthesisUtterance(sentence);
          utterance.voice = voice;
          utterance.lang = voice.lang;
          utterance.rate = SPEEDS[readSetting('readSpeed')];
          utterance.addEventListener('end', () => resolve());
          utterance.addEventListener('error', ({ error }) => (signal.aborted ? resolve() : reject(new Error(error))));
          signal.addEventListener('abort', () => (speechSynthesis.cancel(), resolve()), { once: true });
          speechSynthesis.speak(utterance);
        }),
    }),
  };
}

/** One element for all sentences: phones let only one that was begun by a press go on. */
let player: HTMLAudioElement | null = null;

onClearPersonalData(() => (player = null));

function serviceReader(): Reader {
  const name = chosenVoice();
  player ??= new Audio();
  const audio = player;
  return {
    prepare(sentence, signal) {
      const sound = fetchSpoken(sentence, name, signal);
      // The code that plays it is told of the failure.
      sound.catch(() => undefined);
      return { play: async (until) => playOn(audio, await sound, until) };
    },
  };
}

function playOn(audio: HTMLAudioElement, sound: Blob, signal: AbortSignal): Promise<void> {
  const url = URL.createObjectURL(sound);
  return new Promise<void>((resolve, reject) => {
    if (signal.aborted) return resolve();
    const stop = () => {
      audio.pause();
      resolve();
    };
    signal.addEventListener('abort', stop, { once: true });
    audio.onended = () => resolve();
    audio.onerror = () => reject(new Error('The sound cannot be played'));
    audio.src = url;
    // It changes the speed and keeps the pitch, so that one sound serves all speeds.
    audio.playbackRate = SPEEDS[readSetting('readSpeed')];
    audio.play().catch((error: unknown) => (signal.aborted ? resolve() : reject(error)));
  }).finally(() => URL.revokeObjectURL(url));
}
