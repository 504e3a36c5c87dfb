// Reads an answer aloud, also while it is written: sentences are fetched as they are complete and heard in order. One
// answer is read at a time, in one tab.
import { atom, getDefaultStore } from 'jotai/vanilla';
import { i18n } from '../i18n.ts';
import { newId } from '../lib/new-id.ts';
import { onClearPersonalData } from '../lib/personal-data.ts';
import { showToast } from '../ui/toast/toast.ts';
import { createSentenceCutter } from './sentences.ts';
import { describeSpeechError, SpeechError } from './speech-call.ts';
import { chooseReader, type Prepared, type Reader } from './voices.ts';

/** The message that is being read. */
export const spokenAtom = atom<string | null>(null);

/** A text that may still be written. */
export interface SpokenSource {
  text(): string;
  isWhole(): boolean;
  /** Calls `hear` at each change, until the returned function is called. */
  subscribe(hear: () => void): () => void;
}

const store = getDefaultStore();
/** Sentences that are fetched before they are heard. */
const AHEAD = 2;
const tabs = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('parley-speech');
const ownId = newId();

let reading: AbortController | null = null;

onClearPersonalData(() => stopReading());
tabs?.addEventListener('message', ({ data }) => data !== ownId && stopReading());

/** A text that is whole. */
export function wholeText(text: string): SpokenSource {
  return { text: () => text, isWhole: () => true, subscribe: () => () => undefined };
}

/**
 * Reads a Markdown text; resolves when all was heard, or it was stopped: by `stopReading`, Escape, another text or tab.
 * `hasService`: the server reads aloud, too.
 */
export async function readAloud(messageId: string, source: SpokenSource, hasService: boolean): Promise<void> {
  stopReading();
  const reader = chooseReader(hasService);
  if (!reader) return;
  const run = new AbortController();
  reading = run;
  store.set(spokenAtom, messageId);
  tabs?.postMessage(ownId);
  document.addEventListener('keydown', onKeyDown, true);
  try {
    await readAll(reader, source, run.signal);
  } catch (error) {
    if (!run.signal.aborted) showToast({ message: describeFailure(error), severity: 'error' });
  } finally {
    if (reading === run) stopReading();
  }
}

export function stopReading(): void {
  if (!reading) return;
  const ending = reading;
  reading = null;
  document.removeEventListener('keydown', onKeyDown, true);
  store.set(spokenAtom, null);
  ending.abort();
}

async function readAll(reader: Reader, source: SpokenSource, signal: AbortSignal): Promise<void> {
  const words = {
    code: i18n.t('com_speech_code'),
    table: i18n.t('com_speech_table'),
    formula: i18n.t('com_speech_formula'),
  };
  const cutter = createSentenceCutter(words);
  const waiting: string[] = [];
  const ahead: Prepared[] = [];
  let wake = () => {};
  const leave = source.subscribe(take);
  signal.addEventListener('abort', () => wake());
  try {
    take();
    while (!signal.aborted) {
      const next = ahead.shift();
      fetchAhead();
      if (next) await next.play(signal);
      else if (source.isWhole() && waiting.length === 0 && ahead.length === 0) return;
      else if (ahead.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    leave();
  }

  function take(): void {
    waiting.push(...cutter.next(source.text(), source.isWhole()));
    fetchAhead();
    wake();
  }

  function fetchAhead(): void {
    while (ahead.length < AHEAD) {
      const sentence = waiting.shift();
      if (sentence === undefined) return;
      ahead.push(reader.prepare(sentence, signal));
    }
  }
}

function describeFailure(error: unknown): string {
  return error instanceof SpeechError ? describeSpeechError(error, i18n.t) : i18n.t('com_speech_failed');
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || document.querySelector('[role=dialog], [role=menu]')) return;
  event.preventDefault();
  event.stopPropagation();
  stopReading();
}
