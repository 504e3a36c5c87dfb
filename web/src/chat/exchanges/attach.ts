// Reading a generation: events come in, a reply comes out.
import type { CreatedEvent, FinalEvent, GenerationEvent } from '@parley/schema/events';
import { fold } from '@parley/schema/fold';
import type { Message } from '@parley/schema/messages';
import type { Reason } from '@parley/schema/reasons';
import { pause, retryDelay } from './patience.ts';
import { lastingRefusalOf, type Wire } from './wire.ts';

export interface ReplyListener {
  onCreated(event: CreatedEvent): void;
  /** The reply has grown; at most once per animation frame. */
  onReply(reply: Message): void;
  /** The end of the generation and of the reading. */
  onFinal(event: FinalEvent): void;
  /** The reading is over: the server knows no such generation (yet, or any more), or does not let it be read. */
  onRefused(reason: Reason): void;
}

/**
 * Reads a generation to its end. A lost socket resumes below us; a reading that was given up, or in which an event is
 * missing, starts again from the beginning. Returns what ends the reading early.
 */
export function follow(wire: Wire, generationId: string, listener: ReplyListener): () => void {
  const ending = new AbortController();
  const frame = createFrame(listener.onReply);
  let folded: Message | null = null;
  let failures = 0;
  let detach = () => {};
  attach();
  return end;

  function attach(): void {
    let isOver = false;
    const giveUp = (error: unknown) => {
      if (isOver || ending.signal.aborted) return;
      isOver = true;
      detach();
      const reason = lastingRefusalOf(error);
      if (!reason) return void startAgain();
      end();
      listener.onRefused(reason);
    };
    detach = wire.attach(generationId, {
      onEvent: (event) => void (isOver || ending.signal.aborted || take(event, giveUp)),
      onError: giveUp,
      onEnd: () => giveUp(null),
    });
  }

  function take(event: GenerationEvent, giveUp: (error: unknown) => void): void {
    if (event.type === 'final') {
      end();
      return listener.onFinal(event);
    }
    if (event.type === 'created') {
      failures = 0;
      listener.onCreated(event);
    }
    try {
      folded = foldNext(folded, event);
      frame.show(folded);
    } catch (error) {
      giveUp(error);
    }
  }

  async function startAgain(): Promise<void> {
    try {
      await pause(retryDelay(failures++), ending.signal);
      attach();
    } catch {
      // Ended while it waited.
    }
  }

  function end(): void {
    ending.abort();
    frame.cancel();
    detach();
  }
}

/** @throws Error when something is missing before `event` */
function foldNext(folded: Message | null, event: GenerationEvent): Message {
  if (event.type === 'created') return event.reply;
  if (!folded) throw new Error(`${event.type} came before created`);
  return fold(folded, event);
}

/** Passes on the newest value, at most once per animation frame. */
function createFrame<T>(show: (value: T) => void): { show(value: T): void; cancel(): void } {
  let newest: { value: T } | null = null;
  let frame = 0;

  function paint(): void {
    if (newest) show(newest.value);
    newest = null;
  }

  return {
    show(value) {
      if (!newest) frame = requestAnimationFrame(paint);
      newest = { value };
    },
    cancel: () => cancelAnimationFrame(frame),
  };
}
