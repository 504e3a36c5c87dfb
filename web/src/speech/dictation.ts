// One dictation: it is recorded, and then written down. What was recorded stays in memory until it is written.
import { RECORDING_SECONDS_MAX } from '@parley/schema/speech/limits';
import { createObservedState } from './observed-state.ts';
import { openMicrophone, type Microphone, type Recorder } from './microphone.ts';
import { writeDown } from './speech-call.ts';

export type DictationState =
  | { name: 'asking' }
  | { name: 'recording' }
  | { name: 'writing' }
  /** The device is gone: what was said until then is kept. */
  | { name: 'lost' }
  /** Nothing was said that can be written down. */
  | { name: 'empty' }
  /** `canRetry`: there is a recording. */
  | { name: 'failed'; error: unknown; canRetry: boolean };

export interface Dictation {
  /** Begins; `onText` gets what was said, once. The returned function drops it. */
  start(onText: (text: string) => void): () => void;
  state(): DictationState;
  subscribe(hear: () => void): () => void;
  /** Of the microphone, from 0 to 1. */
  level(): number;
  /** Since it began, in milliseconds. */
  duration(): number;
  /** Ends the recording and has it written down; again, where that failed. */
  finish(): void;
}

export function createDictation(): Dictation {
  const state = createObservedState<DictationState>({ name: 'asking' });
  let ending = new AbortController();
  let onText: (text: string) => void = () => undefined;
  let microphone: Microphone | null = null;
  let recorder: Recorder | null = null;
  let recording: Blob | null = null;
  let begunAt = 0;
  let limit: ReturnType<typeof setTimeout> | undefined;
  return {
    start(hear) {
      ending = new AbortController();
      onText = hear;
      void begin(ending.signal);
      return cancel;
    },
    state: state.get,
    subscribe: state.subscribe,
    level: () => microphone?.level() ?? 0,
    duration: () => performance.now() - begunAt,
    finish: () => void finish(ending.signal),
  };

  async function begin(signal: AbortSignal): Promise<void> {
    try {
      const opened = await openMicrophone();
      // It was cancelled while the browser asked.
      if (signal.aborted) return opened.close();
      microphone = opened;
      recorder = opened.record();
      begunAt = performance.now();
      opened.onLost(() => void lose());
      limit = setTimeout(() => void finish(signal), RECORDING_SECONDS_MAX * 1000);
      state.set({ name: 'recording' });
    } catch (error) {
      if (!signal.aborted) state.set({ name: 'failed', error, canRetry: false });
    }
  }

  async function keep(): Promise<void> {
    const stopping = recorder;
    recorder = null;
    if (stopping) recording = await stopping.stop();
    close();
  }

  async function lose(): Promise<void> {
    if (state.get().name !== 'recording') return;
    state.set({ name: 'lost' });
    await keep();
  }

  async function finish(signal: AbortSignal): Promise<void> {
    if (['writing', 'asking'].includes(state.get().name)) return;
    state.set({ name: 'writing' });
    await keep();
    try {
      const text = recording && recording.size > 0 ? await writeDown(recording, signal) : '';
      if (text === '') return state.set({ name: 'empty' });
      recording = null;
      onText(text);
    } catch (error) {
      if (!signal.aborted) state.set({ name: 'failed', error, canRetry: true });
    }
  }

  function close(): void {
    clearTimeout(limit);
    microphone?.close();
    microphone = null;
  }

  function cancel(): void {
    ending.abort();
    recorder = null;
    recording = null;
    close();
  }
}
