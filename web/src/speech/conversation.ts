// A conversation by voice: it listens, has each turn written down, and listens on while the answer is read, so that
// speaking interrupts it.
import { RECORDING_SECONDS_MAX } from '@parley/schema/speech/limits';
import { createEar, type Ear } from './ear.ts';
import { openMicrophone } from './microphone.ts';
import { createObservedState } from './observed-state.ts';
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
const QUIET_MAX_MS = 5 * 60_000;
const TURN_MAX_MS = RECORDING_SECONDS_MAX * 1000;
/** What is heard of the answer itself must not count as speech. */
const WHILE_SPEAKING = { factor: 6, beginMs: 350 };

export function createConversation(): Conversation {
  const state = createObservedState<ConversationState>({ name: 'opening' });
  let ending = new AbortController();
  let hooks: ConversationHooks | null = null;
  let ear: Ear | null = null;
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
    state: state.get,
    subscribe: state.subscribe,
    level: () => ear?.level() ?? 0,
    speak: () => state.get().name === 'thinking' && state.set({ name: 'speaking' }),
    listen,
    finishTurn: () => void finishTurn(ending.signal),
  };

  async function open(signal: AbortSignal): Promise<void> {
    try {
      const opened = await openMicrophone();
      if (signal.aborted) return opened.close();
      opened.onLost(() => hooks?.onEnd());
      ear = createEar(opened);
      listen();
    } catch (error) {
      if (!signal.aborted) state.set({ name: 'failed', error });
    }
  }

  function listen(): void {
    if (!ear) return;
    ear.attend();
    heardAt = performance.now();
    state.set({ name: 'listening' });
  }

  function tick(): void {
    const news = ear?.look() ?? null;
    const { name } = state.get();
    if (name === 'hearing') {
      if (news === 'ended' || (ear?.lasted() ?? 0) > TURN_MAX_MS) void finishTurn(ending.signal);
    } else if (news === 'begun') hear(name);
    else if (name === 'listening' && performance.now() - heardAt > QUIET_MAX_MS) hooks?.onEnd();
  }

  function hear(before: ConversationState['name']): void {
    const isInterrupting = before === 'thinking' || before === 'speaking';
    if (before !== 'listening' && !isInterrupting) return;
    state.set({ name: 'hearing' });
    if (isInterrupting) hooks?.onInterrupt();
  }

  async function finishTurn(signal: AbortSignal): Promise<void> {
    if (!ear || !['hearing', 'listening'].includes(state.get().name)) return;
    state.set({ name: 'writing' });
    try {
      const text = await writeDown(await ear.take(), signal);
      if (text === '') return listen();
      ear.attend(WHILE_SPEAKING);
      state.set({ name: 'thinking' });
      hooks?.onText(text);
    } catch (error) {
      if (!signal.aborted) state.set({ name: 'failed', error });
    }
  }

  function close(): void {
    ending.abort();
    clearInterval(timer);
    ear?.close();
    ear = null;
  }
}
