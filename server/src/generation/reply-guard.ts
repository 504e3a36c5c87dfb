// Ends a reply whose provider is silent, sends signs of life and no output, or never stops: a user may have chosen it.
import { isTextEvent, type GenerationEvent } from '@parley/schema/generation/events';
import { toolLog, type MessagePart, type ToolCall } from '@parley/schema/messages/messages';
import type { Reason } from '@parley/schema/reasons';

export interface ReplyLimits {
  /** Limits how long a provider may be silent before its first delta, in milliseconds. */
  firstTokenMs: number;
  /** Limits how long it may be silent between two deltas, in milliseconds. */
  idleMs: number;
  /** How long it may send bytes without output, as keep-alives, in milliseconds; as long as it likes when undefined. */
  quietMs?: number;
  /** UTF-8 bytes of text, including reasoning and tool inputs; unlimited when undefined. */
  replyBytes?: number;
  /** Duration in milliseconds; unlimited when undefined. */
  replyMs?: number;
}

export interface ReplyGuard {
  /** Why the reply must end; null while it is within its limits. */
  reason: Reason | null;
  /** Bytes arrived that may be no output. */
  alive(): void;
  /** Output arrived. The next may take `waitMs`, where the model is asked anew as long as the first one. */
  output(waitMs?: number): void;
  /** Counts an event. The earlier text of a continued answer is not counted. */
  add(event: GenerationEvent): void;
  end(): void;
}

/** After a pause of the whole process (sleep, overload), it first reads what has arrived meanwhile. */
const GRACE_MS = 100;

/** Calls `onReached` once, when the first of the limits is reached. */
export function createReplyGuard(limits: ReplyLimits, onReached: (cause: 'stall' | 'cut') => void): ReplyGuard {
  const { quietMs = Infinity, replyBytes = Infinity, replyMs } = limits;
  /** The size of each part that events replace as a whole, and of the arguments in it. */
  const wholes = new Map<number, { size: number; input: number }>();
  let bytes = 0;
  let silentMs = limits.firstTokenMs;
  let aliveAt = performance.now();
  let outputAt = aliveAt;
  let isInGrace = false;
  // It looks at the times when it fires: a timer that each delta began anew would cost more.
  let timer = setTimeout(look, Math.min(silentMs, quietMs));
  const cut = replyMs === undefined ? undefined : setTimeout(reach, replyMs, 'cut', { type: 'answer_too_slow' });
  const guard: ReplyGuard = { reason: null, alive, output, add, end };
  return guard;

  function alive(): void {
    aliveAt = performance.now();
  }

  function output(waitMs = limits.idleMs): void {
    outputAt = aliveAt = performance.now();
    if (waitMs === silentMs) return;
    silentMs = waitMs;
    clearTimeout(timer);
    look();
  }

  function look(): void {
    const now = performance.now();
    const isSilent = aliveAt + silentMs <= now;
    const left = Math.min(aliveAt + silentMs, outputAt + quietMs) - now;
    if (left <= 0 && isInGrace) {
      reach('stall', { type: 'provider_stalled', seconds: Math.round((isSilent ? silentMs : quietMs) / 1000) });
      return;
    }
    isInGrace = left <= 0;
    timer = setTimeout(look, isInGrace ? GRACE_MS : left);
  }

  function add(event: GenerationEvent): void {
    if (isTextEvent(event)) bytes += Buffer.byteLength(event.text);
    if (event.type === 'part') {
      const before = wholes.get(event.part) ?? { size: 0, input: 0 };
      const input = event.keeps ? before.input : inputSizeOf(event.value);
      const size = input + sizeOf(event.value);
      bytes += size - before.size;
      wholes.set(event.part, { size, input });
    }
    if (bytes > replyBytes) reach('cut', { type: 'answer_too_long' });
  }

  function reach(cause: 'stall' | 'cut', why: Reason): void {
    if (guard.reason) return;
    guard.reason = why;
    onReached(cause);
  }

  function end(): void {
    clearTimeout(timer);
    clearTimeout(cut);
  }
}

function inputSizeOf(part: MessagePart): number {
  return part.type === 'tool_call' ? Buffer.byteLength(part.call.input) : 0;
}

/** Without the arguments of a tool call. */
function sizeOf(part: MessagePart): number {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'error':
      return Buffer.byteLength(part.text);
    case 'tool_call':
      return Buffer.byteLength(part.call.output ?? '') + Buffer.byteLength(toolLog(part.call)) + madeBytes(part.call);
    case 'image':
    case 'file':
    case 'pending_picture':
      return 0;
    default:
      return part satisfies never;
  }
}

/** Of the artifact that a call made. */
function madeBytes({ outputs = [] }: ToolCall): number {
  return outputs.reduce((sum, one) => sum + (one.type === 'artifact' ? Buffer.byteLength(one.source) : 0), 0);
}

/**
 * Passes items on, and gives up those that do not end within `graceMs` of the signal's abort: what ignores its signal
 * must not hold up a stop for ever. No generator, which would cost several turns of the microtask queue for each item.
 * Its `next` rejects with an error when it gives up.
 */
export function stoppable<T>(items: AsyncIterable<T>, signal: AbortSignal, graceMs: number): AsyncIterable<T> {
  const iterator = items[Symbol.asyncIterator]();
  let timer: NodeJS.Timeout | undefined;
  let isGivenUp = false;
  let giveUp = () => {};
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  return { [Symbol.asyncIterator]: () => ({ next, return: leave }) };

  function onAbort(): void {
    timer = setTimeout(() => {
      isGivenUp = true;
      giveUp();
    }, graceMs);
  }

  // Not a race with one long promise, which would keep a reaction for each item.
  function next(): Promise<IteratorResult<T>> {
    return new Promise((resolve, reject) => {
      giveUp = () => {
        end();
        void iterator.return?.().catch(() => undefined);
        reject(new Error(`What was stopped did not end within ${graceMs} ms`));
      };
      if (isGivenUp) return giveUp();
      iterator.next().then(
        (result) => {
          if (result.done) end();
          resolve(result);
        },
        (error: Error) => {
          end();
          reject(error);
        },
      );
    });
  }

  /** The reader has enough. */
  async function leave(): Promise<IteratorResult<T>> {
    end();
    await iterator.return?.().catch(() => undefined);
    return { done: true, value: undefined };
  }

  function end(): void {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
