// A conversation by voice: it listens, has each turn written down, and listens on while the answer is read, so that
// speaking interrupts it.
import { RECORDING_SECONDS_MAX } from '@parley/schema/speech/limits';
import { openMicrophone, type Microphone, type Recorder } from './microphone.ts';
import { createSpeechDetector, type SpeechDetector } from './silence.ts';
import { writeDown } from './speech-call.ts';

export type ConversationState =
  | { name: 'opening' }
  | { name: 'listening' }
  /** Somebody speaks. */
  | { name: 'hearing' }
  | { name: 'writing' }
  /** The answer is awaited, or heard. */
  | { name: 'thinking' }
  | { name: 'speaking' }
  /** It goes on by `listen`. */
  | { name: 'failed'; error: unknown };

export interface Conversation {
  /** Begins; the returned function ends it. */
  start(hooks: ConversationHooks): () => void;
  state(): ConversationState;
  subscribe(hear: () => void): () => void;
  level(): number;
  /** The answer has begun to be read. */
  speak(): void;
  /** The answer is over, or the last turn failed: the next turn begins. */
  listen(): void;
  /** Ends the turn now, without waiting for silence. */
  finishTurn(): void;
}

export interface ConversationHooks {
  /** Asks what was said. */
  onText(text: string): void;
  /** Somebody speaks while the answer is written or read. */
  onInterrupt(): void;
  /** Nobody has said anything for minutes, or the microphone is gone. */
  onEnd(): void;
}

const TICK_MS = 50;
/** What stands before the first word of a turn, at most, in milliseconds: a recording of silence is begun anew. */
const LEAD_MS = 4_000;
const QUIET_MAX_MS = 5 * 60_000;
/** What is heard of the answer itself must not count as speech. */
const WHILE_SPEAKING = { factor: 6, beginMs: 350 };

export function createConversation(): Conversation {
  let ending = new AbortController();
  let hooks: ConversationHooks | null = null;
  const listeners = new Set<() => void>();
  let state: ConversationState = { name: 'opening' };
  let microphone: Microphone | null = null;
  let recorder: Recorder | null = null;
  let detector: SpeechDetector = createSpeechDetector();
  let begunAt = 0;
  let heardAt = 0;
  let timer: ReturnType<typeof setInterval> | undefined;
  return {
    start(given) {
      ending = new AbortController();
      hooks = given;
      timer = setInterval(tick, TICK_MS);
      void open(ending.signal);
      return close;
    },
    state: () => state,
    subscribe: (hear) => (listeners.add(hear), () => void listeners.delete(hear)),
    level: () => microphone?.level() ?? 0,
    speak: () => state.name === 'thinking' && become({ name: 'speaking' }),
    listen: () => void listen(),
    finishTurn: () => void finishTurn(),
  };

  function become(next: ConversationState): void {
    if (ending.signal.aborted) return;
    state = next;
    listeners.forEach((hear) => hear());
  }

  async function open(signal: AbortSignal): Promise<void> {
    try {
      const opened = await openMicrophone();
      if (signal.aborted) return opened.close();
      microphone = opened;
      opened.onLost(() => hooks?.onEnd());
      listen();
    } catch (error) {
      become({ name: 'failed', error });
    }
  }

  function listen(): void {
    if (!microphone) return;
    detector = createSpeechDetector();
    heardAt = performance.now();
    beginRecording();
    become({ name: 'listening' });
  }

  function beginRecording(): void {
    void recorder?.stop();
    recorder = microphone?.record() ?? null;
    begunAt = performance.now();
  }

  function tick(): void {
    if (!microphone || !recorder) return;
    const now = performance.now();
    const news = detector.add(microphone.level(), now);
    if (state.name === 'hearing') {
      heardAt = now;
      if (news === 'ended' || now - begunAt > RECORDING_SECONDS_MAX * 1000) void finishTurn();
      return;
    }
    if (news === 'begun') hear();
    else if (!detector.isSpeaking() && now - begunAt > LEAD_MS) beginRecording();
    if (state.name === 'listening' && now - heardAt > QUIET_MAX_MS) hooks?.onEnd();
  }

  function hear(): void {
    const isInterrupting = state.name === 'thinking' || state.name === 'speaking';
    if (state.name !== 'listening' && !isInterrupting) return;
    become({ name: 'hearing' });
    if (isInterrupting) hooks?.onInterrupt();
  }

  async function finishTurn(): Promise<void> {
    if (!recorder || (state.name !== 'hearing' && state.name !== 'listening')) return;
    const turn = recorder;
    recorder = null;
    become({ name: 'writing' });
    try {
      const text = await writeDown(await turn.stop(), ending.signal);
      if (ending.signal.aborted) return;
      if (text === '') return listen();
      detector = createSpeechDetector(WHILE_SPEAKING);
      beginRecording();
      become({ name: 'thinking' });
      hooks?.onText(text);
    } catch (error) {
      become({ name: 'failed', error });
    }
  }

  function close(): void {
    ending.abort();
    clearInterval(timer);
    recorder = null;
    microphone?.close();
    microphone = null;
  }
}
