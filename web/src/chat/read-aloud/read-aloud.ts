// Reads an answer aloud by a voice of this device: other voices send the text to their maker.
import { atom, getDefaultStore } from 'jotai/vanilla';
import { i18n } from '../../i18n.ts';
import { onClearPersonalData } from '../../lib/personal-data.ts';
import { plainExcerpt } from '../../lib/plain-excerpt.ts';

/** The message that is being read. */
export const spokenAtom = atom<string | null>(null);

const store = getDefaultStore();
const CODE = /^ {0,3}(```|~~~)[^]*?(?:^ {0,3}\1|$(?![^]))/gm;
/** Longer paragraphs are cut: browsers stop in the middle of what is too long. */
const PARAGRAPH_CHARS_MAX = 4_000;

onClearPersonalData(() => stopReading());

/** Whether there is a voice that needs no network. Browsers load their list late, so it is asked for each time. */
export function canRead(): boolean {
  return localVoices().length > 0;
}

/** Reads a Markdown text without its code. It ends by `stopReading` or Escape. */
export function readAloud(messageId: string, text: string): void {
  stopReading();
  const paragraphs = spokenParagraphs(text);
  const voice = chooseVoice(localVoices(), i18n.language);
  if (!voice || paragraphs.length === 0) return;
  store.set(spokenAtom, messageId);
  document.addEventListener('keydown', onKeyDown, true);
  for (const [index, paragraph] of paragraphs.entries()) {
    const utterance = new SpeechSynthesisUtterance(paragraph);
    utterance.voice = voice;
    utterance.lang = voice.lang;
    utterance.addEventListener('error', () => end(messageId));
    if (index === paragraphs.length - 1) utterance.addEventListener('end', () => end(messageId));
    speechSynthesis.speak(utterance);
  }
}

export function stopReading(): void {
  const messageId = store.get(spokenAtom);
  if (messageId === null) return;
  end(messageId);
  speechSynthesis.cancel();
}

/** What is said of a Markdown text, paragraph by paragraph. */
export function spokenParagraphs(text: string): string[] {
  const paragraphs = text.replaceAll(CODE, '\n\n').split(/\n{2,}/);
  return paragraphs.map((one) => plainExcerpt(one, PARAGRAPH_CHARS_MAX)).filter((one) => one !== '');
}

/** The voice of the language, else the first. */
function chooseVoice(voices: readonly SpeechSynthesisVoice[], language: string): SpeechSynthesisVoice | undefined {
  const [wanted = ''] = language.split('-');
  return voices.find(({ lang }) => lang.split(/[-_]/)[0] === wanted) ?? voices[0];
}

function end(messageId: string): void {
  if (store.get(spokenAtom) !== messageId) return;
  store.set(spokenAtom, null);
  document.removeEventListener('keydown', onKeyDown, true);
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || document.querySelector('[role=dialog], [role=menu]')) return;
  event.preventDefault();
  event.stopPropagation();
  stopReading();
}

function localVoices(): SpeechSynthesisVoice[] {
  return 'speechSynthesis' in window ? speechSynthesis.getVoices().filter(({ localService }) => localService) : [];
}
